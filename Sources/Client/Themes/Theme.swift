/// The look of a flow in every renderer: the provider's name and logo, colors, corners and fonts.
public struct Theme: Sendable, Hashable {
  /// The roundness of the corners of screens, buttons and fields.
  public enum Corners: String, Sendable, Hashable, CaseIterable {
    case square, slight, round
  }

  /// The name of the product or of the organization, as users know it; nil if the theme has none.
  public var name: String?
  /// The picture beside the name, or instead of it.
  public var logo: ThemeImage?
  /// The picture for a dark background; nil if the logo suits both.
  public var darkLogo: ThemeImage?
  /// The small picture in the tab of a browser.
  public var favicon: ThemeImage?
  /// The roundness of the corners.
  public var corners: Corners
  /// The families of fonts, the preferred one first. Only those that are installed on the user's machine are used.
  public var fonts: [String]
  /// The colors for a light background.
  public var light: Palette
  /// The colors for a dark background.
  public var dark: Palette

  /// The look if there is no theme.
  public static let standard = Theme()

  /// Creates a theme; without arguments, ``standard``.
  public init(
    name: String? = nil, logo: ThemeImage? = nil, darkLogo: ThemeImage? = nil, favicon: ThemeImage? = nil,
    corners: Corners = .round, fonts: [String] = [], light: Palette = .light, dark: Palette = .dark
  ) {
    self.name = name
    self.logo = logo
    self.darkLogo = darkLogo
    self.favicon = favicon
    self.corners = corners
    self.fonts = fonts
    self.light = light
    self.dark = dark
  }
}
