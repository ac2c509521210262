/// The screens in which two windows differ: what stands between those that they begin and end with in common.
///
/// Most transitions change a screen or two, of however many there are.
struct WindowDifference {
  /// Those of the window as it was, bottom first.
  let oldScreens: ArraySlice<ShownScreen>
  /// Those of the window as it is, bottom first.
  let screens: ArraySlice<ShownScreen>
  private let index: [ScreenID: ShownScreen]

  /// From so many on they are found by a table.
  private static let few = 8

  /// Compares two windows.
  init(from old: Window, to new: Window) {
    let (olds, news) = (old.screens, new.screens)
    let count = min(olds.count, news.count)
    var prefix = 0
    while prefix < count, olds[prefix].isSame(as: news[prefix]) { prefix += 1 }
    var suffix = 0
    while suffix < count - prefix, olds[olds.count - 1 - suffix].isSame(as: news[news.count - 1 - suffix]) { suffix += 1 }
    oldScreens = olds[prefix..<(olds.count - suffix)]
    screens = news[prefix..<(news.count - suffix)]
    let isLarge = oldScreens.count > Self.few
    index = isLarge ? Dictionary(oldScreens.map { ($0.id, $0) }, uniquingKeysWith: { $1 }) : [:]
  }

  /// The screen as it was; nil if it is new, or the same as before.
  func old(_ id: ScreenID) -> ShownScreen? { index.isEmpty ? oldScreens.last { $0.id == id } : index[id] }

  /// Those that are gone, top first.
  var removed: [ShownScreen] {
    guard screens.count <= Self.few else {
      let left = Set(screens.map(\.id))
      return oldScreens.reversed().filter { !left.contains($0.id) }
    }
    return oldScreens.reversed().filter { old in !screens.contains { $0.id == old.id } }
  }
}
