import Glibc
import Platform

/// An opaque color in sRGB.
public struct RGBColor: Sendable, Hashable, CustomStringConvertible {
  /// The channels, from 0 to 255.
  public let red, green, blue: UInt8

  /// Creates a color from its channels.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Parses a color.
  ///
  /// - Parameter text: color of the form `#RRGGBB`.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count == 7, text.utf8.first == UInt8(ascii: "#") else { return nil }
    var number: UInt32 = 0
    for byte in text.utf8.dropFirst() {
      guard let digit = byte.hexadecimalDigit else { return nil }
      number = number << 4 | UInt32(digit)
    }
    self.init(number)
  }

  /// Creates a color from a number of the form 0xRRGGBB. Bits above that are ignored.
  init(_ number: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: number >> 16), green: UInt8(truncatingIfNeeded: number >> 8),
      blue: UInt8(truncatingIfNeeded: number))
  }

  /// Black.
  public static let black = RGBColor(0x000000)
  /// White.
  public static let white = RGBColor(0xffffff)

  /// The color as `#rrggbb`.
  public var description: String { "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

  /// Mixes another color in.
  ///
  /// - Parameters:
  ///   - other: other color.
  ///   - share: share of the other color in the result, from 0 to 1.
  /// - Returns: the mixture, channel by channel, as `color-mix(in srgb, …)` of CSS.
  public func mixed(with other: RGBColor, _ share: Double) -> RGBColor {
    let share = min(max(share, 0), 1)
    func channel(_ own: UInt8, _ other: UInt8) -> UInt8 {
      UInt8((Double(own) * (1 - share) + Double(other) * share).rounded())
    }
    return RGBColor(red: channel(red, other.red), green: channel(green, other.green), blue: channel(blue, other.blue))
  }
}

// MARK: Contrast

extension RGBColor {
  /// The relative luminance of WCAG 2, from 0 to 1.
  public var luminance: Double {
    func linear(_ channel: UInt8) -> Double {
      let value = Double(channel) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// Returns the contrast ratio of WCAG 2, from 1 to 21.
  public func contrast(with other: RGBColor) -> Double {
    let (own, others) = (luminance, other.luminance)
    return (max(own, others) + 0.05) / (min(own, others) + 0.05)
  }

  /// Returns whether the contrast with each of some colors is at least a ratio.
  public func isLegible(on others: [RGBColor], _ ratio: Double) -> Bool { others.allSatisfy { contrast(with: $0) >= ratio } }

  /// The more legible one of black and white on the color. Its contrast is at least 4.5.
  public var ink: RGBColor { contrast(with: .black) >= contrast(with: .white) ? .black : .white }

  /// Returns the nearest darker or lighter tone of the color that has a contrast with each of some colors.
  ///
  /// - Parameters:
  ///   - others: background colors.
  ///   - ratio: required contrast ratio.
  /// - Returns: the color itself if it has the contrast; nil if no tone has it.
  public func nearest(on others: [RGBColor], _ ratio: Double) -> RGBColor? {
    if isLegible(on: others, ratio) { return self }
    let tones = [RGBColor.black, .white].compactMap { end in
      (1...255).lazy.map { mixed(with: end, Double($0) / 255) }.first { $0.isLegible(on: others, ratio) }
    }
    return tones.min { abs($0.lightness - lightness) < abs($1.lightness - lightness) }
  }

  /// The lightness L* of CIELAB, from 0 to 100.
  private var lightness: Double { luminance <= 216 / 24389 ? luminance * 24389 / 27 : 116 * cbrt(luminance) - 16 }
}

extension RGBColor {
  /// Whether users take the color for a warning, or for the color of errors, because it is a red.
  ///
  /// A button in such a color reads as dangerous. Renderers draw the usual button in the color of text instead, and use the
  /// accent for everything except buttons.
  public var readsAsDanger: Bool {
    let (red, green, blue) = (Int(red), Int(green), Int(blue))
    let low = min(green, blue)
    let span = red - low
    guard red > green, red > blue, span >= 80 else { return false }
    // The hue is within 20 degrees of pure red.
    return abs(green - blue) * 3 <= span
  }
}
