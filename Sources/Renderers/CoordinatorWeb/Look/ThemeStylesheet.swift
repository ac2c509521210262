import Platform
import Themes

/// The part of the stylesheet that implements a theme: colors, corners and fonts.
struct ThemeStylesheet: Sendable {
  private let theme: Theme

  init(_ theme: Theme) { self.theme = theme }

  /// The stylesheet.
  var text: String {
    """
    :root { color-scheme: light dark; \(colors(theme.light)) --shade: 20 25 40; --shade-strength: 8%; \(corners) --font: \(fonts); }
    @media (prefers-color-scheme: dark) { :root { \(colors(theme.dark)) --shade: 0 0 0; --shade-strength: 36%; } }

    """
  }

  /// Returns the stylesheet that shows a screen in a separate accent.
  func accent(_ color: RGBColor) -> String {
    """
    :root { \(accent(theme.light.adapted(color), in: theme.light)) }
    @media (prefers-color-scheme: dark) { :root { \(accent(theme.dark.adapted(color), in: theme.dark)) } }

    """
  }

  private func accent(_ color: RGBColor, in palette: Palette) -> String {
    // A button in a red accent would look dangerous.
    let button = color.readsAsDanger ? palette.text : color
    return "--accent: \(color); --on-accent: \(color.ink); --button: \(button); --on-button: \(button.ink); "
      + "--glow: \(palette.glow(of: color));"
  }

  private func colors(_ palette: Palette) -> String {
    let colors: [(String, RGBColor)] = [
      ("page", palette.background), ("card", palette.surface), ("text", palette.text), ("quiet", palette.quietText),
      ("line", palette.line), ("field", palette.surface), ("field-line", palette.control), ("link", palette.link),
      ("focus", palette.link), ("error", palette.error), ("error-page", palette.surface(in: palette.error)),
      ("warning", palette.warning), ("warning-page", palette.surface(in: palette.warning)),
      ("info-page", palette.surface(in: palette.link)), ("done", palette.done),
    ]
    return accent(palette.accent, in: palette) + colors.map { " --\($0.0): \($0.1);" }.joined()
  }

  private var corners: String {
    let (card, button, field) =
      switch theme.corners {
      case .round: ("1.125rem", ".75rem", ".625rem")
      case .slight: (".5rem", ".375rem", ".3125rem")
      case .square: ("0", "0", "0")
      }
    return "--card-corner: \(card); --corner: \(button); --field-corner: \(field);"
  }

  private static let generic = [
    "serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "ui-sans-serif", "ui-serif", "ui-rounded",
  ]
  private static let usual =
    "system-ui, -apple-system, \"Segoe UI\", Roboto, Cantarell, \"Noto Sans\", \"DejaVu Sans\", sans-serif"

  private var fonts: String {
    let own = theme.fonts.map { Self.generic.contains($0.bytes.lowercased) ? $0.bytes.lowercased : "\"\($0)\"" }
    return (own + [Self.usual]).joined(separator: ", ")
  }
}
