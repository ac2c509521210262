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
    guard fileName.utf8.count == 10, fileName.hasSuffix(".css"), let color = RGBColor("#" + fileName.dropLast(4))
    else { return nil }
    self.color = color
    guard fileName == name + ".css" else { return nil }
  }

  /// The six hexadecimal digits.
  var name: String { String(color.description.dropFirst()) }
}
