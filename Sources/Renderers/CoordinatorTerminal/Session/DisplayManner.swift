import Themes

/// The way in which everything on a terminal is drawn: the signs, the color, and the name of the product.
struct DisplayManner: Sendable, Hashable {
  let font: Symbols.Font
  /// The color of highlighted elements if a screen has none.
  let accent: Look.Colour
  /// The name of the product; nil if the theme has none.
  let product: String?

  init(_ theme: Theme, font: Symbols.Font) {
    self.font = font
    product = theme.name
    accent = theme.light.accent == Theme.standard.light.accent ? .magenta : .tone(theme.light.accent.tone)
  }
}
