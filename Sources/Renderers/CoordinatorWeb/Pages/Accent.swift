import Platform
import Themes

/// The accent color of a screen.
///
/// It reaches the page as a separate stylesheet, because the content security policy forbids inline styles.
public struct Accent: Sendable, Hashable {
  /// The color.
  public let color: RGBColor

  /// Parses a color.
  ///
  /// - Parameter text: color of the form `#RRGGBB`.
  public init?(_ text: String) {
    guard let color = RGBColor(text) else { return nil }
    self.color = color
  }

  /// Parses the name of the accent's stylesheet, such as `f5001c.css`.
  init?(fileName: String) {
    guard let digits = fileName.bytes.dropping(suffix: ".css"), let color = RGBColor("#\(digits)") else { return nil }
    self.color = color
    guard digits.bytes.equals(name) else { return nil }
  }

  /// The six hexadecimal digits.
  var name: String { String(color.description.dropFirst()) }
}
