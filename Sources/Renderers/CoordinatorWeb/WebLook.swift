import Platform
import Themes

/// The look of all pages: the theme, and the files made from it. Each file has a hash of its contents in its name, so that
/// browsers may keep it.
public struct WebLook: Sendable, Hashable {
  /// The theme.
  public let theme: Theme
  /// The stylesheet of all pages.
  let stylesheet: Asset
  /// The script of all pages.
  let script: Asset
  /// The script that decides how a page appears. Browsers read it before they draw the page.
  let motion: Asset
  let logo: Asset?
  let darkLogo: Asset?
  /// The picture in a browser's tab.
  let icon: Asset
  /// The picture in a browser's tab for a flow that has finished.
  let doneIcon: Asset

  /// Creates a look.
  ///
  /// - Parameter theme: the theme.
  public init(_ theme: Theme = .standard) {
    self.theme = theme
    stylesheet = Asset("style", "css", "text/css; charset=utf-8", Array(ThemeStylesheet(theme).text.utf8) + Self.styles)
    script = Asset("script", "js", "text/javascript; charset=utf-8", Self.scripts)
    motion = Asset("motion", "js", "text/javascript; charset=utf-8", PackageResources.motion_js)
    logo = theme.logo.map { Asset("logo", $0) }
    darkLogo = theme.darkLogo.map { Asset("logo-dark", $0) }
    icon = theme.favicon.map { Asset("icon", $0) } ?? Asset("icon", .usual(theme))
    doneIcon = theme.favicon.map { Asset("icon", $0) } ?? Asset("icon-done", .done)
  }

  /// All files.
  private var assets: [Asset] { [stylesheet, script, motion, icon, doneIcon] + [logo, darkLogo].compactMap(\.self) }

  /// Returns the file with a name; nil if there is none, or if the name is that of another version.
  func asset(named name: String) -> Asset? { assets.first { $0.name == name } }

  /// Returns the stylesheet that shows a screen in a separate accent.
  func stylesheet(of accent: Accent) -> String { ThemeStylesheet(theme).accent(accent.color) }

  /// The sources of the stylesheet, in order.
  private static let styles =
    PackageResources.coordinator_css + PackageResources.lists_css + PackageResources.frame_css + PackageResources.home_css
    + PackageResources.end_css + PackageResources.motion_css + PackageResources.people_css
  /// The sources of the script, in order; the first ones define symbols that the others use.
  private static let scripts = [
    PackageResources.morph_js, PackageResources.coordinator_js, PackageResources.live_js, PackageResources.clicks_js,
    PackageResources.countdown_js,
    PackageResources.conditions_js, PackageResources.secrets_js, PackageResources.drafts_js, PackageResources.dates_js,
    PackageResources.lists_js, PackageResources.keys_js, PackageResources.matching_js, PackageResources.fields_js,
    PackageResources.status_js, PackageResources.home_js, PackageResources.people_js, PackageResources.phone_js,
    PackageResources.kiosk_js,
  ].flatMap(\.self)
}

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

/// A file that pages refer to. Its contents never change under its name.
struct Asset: Sendable, Hashable {
  /// The name, which contains a hash of the contents.
  let name: String
  let mediaType: String
  let bytes: [UInt8]

  /// Creates a file.
  ///
  /// - Parameters:
  ///   - stem: beginning of the name.
  ///   - suffix: extension of the name, without a dot.
  ///   - mediaType: media type of the contents.
  ///   - bytes: contents.
  init(_ stem: String, _ suffix: String, _ mediaType: String, _ bytes: [UInt8]) {
    name = "\(stem)-\(Self.hash(bytes)).\(suffix)"
    self.mediaType = mediaType
    self.bytes = bytes
  }

  /// Creates the file of a theme's picture.
  init(_ stem: String, _ image: ThemeImage) {
    self.init(stem, image.format.rawValue, image.format.mediaType, image.bytes)
  }

  /// Creates the file of a drawing.
  init(_ stem: String, _ drawing: IconDrawing) {
    self.init(stem, "svg", ThemeImage.Format.svg.mediaType, Array(drawing.svg.utf8))
  }

  /// Returns whether a path may be the name of such a file. Only these files are served without a session.
  static func isName(_ name: String) -> Bool {
    let suffixes = [".css", ".js", ".svg", ".png"]
    return suffixes.contains(where: name.bytes.hasSuffix) && name.utf8.contains(UInt8(ascii: "-")) && name.utf8.count < 64
  }

  /// The response that delivers the file. Its policy disables scripts, because a picture opened directly may be an SVG with
  /// scripts.
  var response: HTTPResponse {
    var response = HTTPResponse.asset(mediaType, bytes)
    if mediaType.bytes.hasPrefix("image/") {
      response.headers.append(("Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'"))
    }
    return response
  }

  /// FNV-1a, 64 bits.
  private static func hash(_ bytes: [UInt8]) -> String {
    String(bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
  }
}

/// The picture in a browser's tab for themes without one.
struct IconDrawing: Sendable, Hashable {
  /// The drawing as SVG.
  let svg: String

  /// Returns a sign for progress, in the theme's accent.
  static func usual(_ theme: Theme) -> IconDrawing {
    IconDrawing(
      light: theme.light.accent, dark: theme.dark.accent, corner: theme.corners == .square ? 0 : 16, path: "M26 18 40 32 26 46")
  }

  /// A tick.
  static let done = IconDrawing(
    light: RGBColor(red: 0x1f, green: 0x7a, blue: 0x3f), dark: RGBColor(red: 0x5f, green: 0xd3, blue: 0x8d), corner: 32,
    path: "M19 33 28 42 46 23")

  private init(light: RGBColor, dark: RGBColor, corner: Int, path: String) {
    svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><style>rect{fill:\(light)}path{stroke:\(light.ink)}\
      @media(prefers-color-scheme:dark){rect{fill:\(dark)}path{stroke:\(dark.ink)}}</style>\
      <rect width="64" height="64" rx="\(corner)"/>\
      <path d="\(path)" fill="none" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"/></svg>

      """
  }
}
