import Themes

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
