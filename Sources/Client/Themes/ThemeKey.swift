import ConfigurationFiles
import Platform

/// The keys of theme files.
enum ThemeKey {
  private static let section = "Theme"

  static let name = ConfigurationKey<String?>(
    "Name", in: section,
    ValueFormat(
      expected: "a name of at most 60 characters", name: "name", read: { $0.count <= 60 ? .some($0) : nil },
      write: { $0 ?? "" }),
    default: nil, defaultText: "none", "The name of the product or of the organization, as users know it.")

  static let logo = picture("Logo", "The picture beside the name.")
  static let darkLogo = picture("LogoDark", "The same for a dark background.")
  static let favicon = picture("Favicon", "The small picture in a browser's tab.")

  static let corners = ConfigurationKey<Theme.Corners>(
    "Corners", in: section, .choice, default: .round, "How round screens, buttons and fields are.")

  static let font = ConfigurationKey<[String]>(
    "Font", in: section,
    ValueFormat(
      expected: "the names of font families that are installed, separated by commas", name: "families",
      read: FontFamilies.read, write: { $0.joined(separator: ", ") }),
    default: [], defaultText: "the font of the system", "The families of fonts, the preferred one first.")

  /// The colors of a palette.
  struct Colors: Sendable {
    let accent, background, surface, text, quietText, link: ConfigurationKey<RGBColor?>

    fileprivate init(_ suffix: String, _ standard: Palette, _ place: String) {
      func color(_ name: String, _ standard: RGBColor, _ summary: String) -> ConfigurationKey<RGBColor?> {
        ConfigurationKey(
          name + suffix, in: section,
          ValueFormat(
            expected: "a color such as #2f5bd3", name: "color", read: { RGBColor($0).map(Optional.some) },
            write: { $0?.description ?? "" }),
          default: nil, defaultText: standard.description, summary + place)
      }
      accent = color("Accent", standard.accent, "The color of the brand: the usual button, what is chosen")
      background = color("Background", standard.background, "The color of the page around a screen")
      surface = color("Surface", standard.surface, "The color of the surface that a screen is on")
      text = color("Text", standard.text, "The color of text")
      quietText = color("QuietText", standard.quietText, "The color of hints")
      link = color("Link", standard.link, "The color of links and of the focus")
    }

    var entries: [KeyEntry] { [accent, background, surface, text, quietText, link].map(\.entry) }
  }

  static let light = Colors("", .light, ", on a light background.")
  static let dark = Colors("Dark", .dark, ", on a dark background.")

  /// All keys, in the order in which they are shown.
  static let all: [KeyEntry] =
    [name.entry, logo.entry, darkLogo.entry, favicon.entry, corners.entry, font.entry] + light.entries + dark.entries

  private static func picture(_ name: String, _ summary: String) -> ConfigurationKey<String?> {
    ConfigurationKey(
      name, in: section, .text("the path of an SVG or a PNG", name: "file"), default: nil, defaultText: "none", summary)
  }
}

/// Lists of font families.
private enum FontFamilies {
  /// Parses families, separated by commas, each optionally in quotes. Returns nil if a name has characters with a meaning in a
  /// stylesheet.
  static func read(_ text: String) -> [String]? {
    guard text.utf8.count <= 400 else { return nil }
    let families = text.bytes.split(separator: ",", omittingEmptySubsequences: false).map { bare($0) }
    return families.allSatisfy { !$0.isEmpty && $0.unicodeScalars.allSatisfy(isPartOfName) } ? families : nil
  }

  private static func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || "0123456789 -_.".unicodeScalars.contains(scalar)
  }

  private static func bare(_ text: Substring) -> String {
    let text = text.bytes.trimmed
    for quote in ["\"", "'"] where text.utf8.count > 2 {
      if let name = text.bytes.dropping(prefix: quote)?.bytes.dropping(suffix: quote) { return String(name) }
    }
    return String(text)
  }
}
