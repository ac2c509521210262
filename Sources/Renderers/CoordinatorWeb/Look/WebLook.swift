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
