import Themes

/// How everything on a terminal is drawn: with which signs, in which color, and in whose name.
struct DisplayManner: Sendable, Hashable {
  let font: Symbols.Font
  /// The color of what is highlighted where a screen has none.
  let accent: Look.Colour
  /// The name of the product; nil if no theme says one.
  let product: String?

  init(_ theme: Theme, font: Symbols.Font) {
    self.font = font
    product = theme.name
    accent = theme.light.accent == Theme.standard.light.accent ? .magenta : .tone(theme.light.accent.tone)
  }
}
