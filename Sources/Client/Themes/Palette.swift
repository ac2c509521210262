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
