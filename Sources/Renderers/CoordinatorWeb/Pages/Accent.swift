/// The accent color of a screen, and the color of text on it.
///
/// It reaches the page as a separate stylesheet, because the content security policy forbids inline styles.
public struct Accent: Sendable, Hashable {
  private let red: UInt8
  private let green: UInt8
  private let blue: UInt8

  /// Parses a color.
  ///
  /// - Parameter text: color of the form `#RRGGBB`.
  public init?(_ text: String) {
    guard text.utf8.count == 7, text.hasPrefix("#") else { return nil }
    self.init(digits: text.dropFirst())
  }

  /// Parses the name of the accent's stylesheet, such as `f5001c.css`.
  init?(fileName: String) {
    guard fileName.utf8.count == 10, fileName.hasSuffix(".css") else { return nil }
    self.init(digits: fileName.dropLast(4))
    guard fileName == name + ".css" else { return nil }
  }

  private init?(digits: Substring) {
    guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let number = UInt32(digits, radix: 16) else { return nil }
    red = UInt8(truncatingIfNeeded: number >> 16)
    green = UInt8(truncatingIfNeeded: number >> 8)
    blue = UInt8(truncatingIfNeeded: number)
  }

  /// The six hexadecimal digits.
  var name: String {
    [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Whether black has a higher contrast on the color than white, by the contrast ratio of WCAG 2.
  public var isLight: Bool {
    let luminance = 0.2126 * red.linear + 0.7152 * green.linear + 0.0722 * blue.linear
    return (luminance + 0.05) * (luminance + 0.05) > 1.05 * 0.05
  }

  /// The stylesheet that defines the color and the color of text on it.
  public var stylesheet: String {
    ":root { --accent: #\(name); --on-accent: \(isLight ? "#000" : "#fff"); }\n"
  }
}

extension UInt8 {
  /// The approximate linear intensity of an sRGB channel, from 0 to 1; accurate enough to choose between black and
  /// white.
  fileprivate var linear: Double {
    let channel = Double(self) / 255
    return channel * channel * (0.2 + 0.8 * channel.squareRoot())
  }
}
