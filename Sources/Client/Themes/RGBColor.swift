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

/// The colors of a theme for a light or a dark background. All of them are legible where they are used.
public struct Palette: Sendable, Hashable {
  /// The color of the brand: the usual button, the edge of a screen, and chosen items.
  public var accent: RGBColor
  /// The color of the page around a screen.
  public var background: RGBColor
  /// The color of the surface that a screen is on.
  public var surface: RGBColor
  /// The color of text.
  public var text: RGBColor
  /// The color of hints and other text that is less important.
  public var quietText: RGBColor
  /// The color of links and of the focus.
  public var link: RGBColor
  /// The color of errors and of destructive actions.
  public var error: RGBColor
  /// The color of warnings.
  public var warning: RGBColor
  /// The color of the edges of fields and buttons.
  public var control: RGBColor

  /// The color of lines that only decorate.
  public var line: RGBColor { surface.mixed(with: text, 0.16) }

  /// The contrast that text needs (WCAG 2, 1.4.3, level AA).
  public static let textContrast = 4.5
  /// The contrast that controls need (WCAG 2, 1.4.11, level AA).
  public static let controlContrast = 3.0

  /// The share of a color in the surface of a message in that color.
  private static let tint = 0.07

  /// Returns the color of the surface of a message, such as an error, in a color.
  public func surface(in color: RGBColor) -> RGBColor { surface.mixed(with: color, Self.tint) }

  /// The palette for a light background if there is no theme.
  public static let light = Palette(
    accent: RGBColor(0x2f5bd3), background: RGBColor(0xf3f4f7), surface: .white, text: RGBColor(0x1b1d22),
    quietText: RGBColor(0x565b66), link: RGBColor(0x1d4fd0), error: RGBColor(0xb3211c), warning: RGBColor(0x8a5300),
    control: RGBColor(0x767c89))

  /// The palette for a dark background if there is no theme.
  public static let dark = Palette(
    accent: RGBColor(0x7ea2ff), background: RGBColor(0x121419), surface: RGBColor(0x1c1f26), text: RGBColor(0xeceef3),
    quietText: RGBColor(0xa6adba), link: RGBColor(0x9cb8ff), error: RGBColor(0xff9d94), warning: RGBColor(0xf5c16c),
    control: RGBColor(0x838a98))

  /// Returns the tone of a screen's accent that is visible in the palette.
  public func adapted(_ accent: RGBColor) -> RGBColor {
    accent.nearest(on: [surface], Self.controlContrast) ?? self.accent
  }
}

extension Palette {
  /// The color of success.
  public var done: RGBColor {
    RGBColor(0x1f7a3f).nearest(on: [surface], Self.textContrast) ?? text
  }

  /// Returns the color of the light that an accent casts on the page: as intense as possible while all text on the page stays
  /// legible.
  public func glow(of accent: RGBColor) -> RGBColor {
    let lights = stride(from: 0.12, to: 0, by: -0.02).lazy.map { background.mixed(with: accent, $0) }
    return lights.first { light in
      [text, quietText, link].allSatisfy { $0.contrast(with: light) >= Self.textContrast }
    } ?? background
  }
}
