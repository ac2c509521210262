/// What a flow looks like, in every renderer: the name and the logo of whoever offers it, colors, corners and fonts.
public struct Theme: Sendable, Hashable {
  /// How round the corners of screens, buttons and fields are.
  public enum Corners: String, Sendable, Hashable, CaseIterable {
    case square, slight, round
  }

  /// The name of the product or of the organization, as users know it; nil if no theme says one.
  public var name: String?
  /// The picture beside the name, or instead of it.
  public var logo: ThemeImage?
  /// The same for a dark background; nil if the logo suits both.
  public var darkLogo: ThemeImage?
  /// The small picture in a browser's tab.
  public var favicon: ThemeImage?
  /// How round corners are.
  public var corners: Corners
  /// The families of fonts, the preferred one first. Only those that the machine of the user has are used.
  public var fonts: [String]
  /// The colors for a light background.
  public var light: Palette
  /// The colors for a dark background.
  public var dark: Palette

  /// The look of those who have no theme.
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
