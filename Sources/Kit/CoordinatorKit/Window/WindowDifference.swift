/// The screens in which two windows differ: those between the common prefix and the common suffix.
///
/// Most transitions change one or two screens, regardless of the total number.
struct WindowDifference {
  /// The differing screens of the old window, bottom first.
  let oldScreens: ArraySlice<ShownScreen>
  /// The differing screens of the new window, bottom first.
  let screens: ArraySlice<ShownScreen>
  private let index: [ScreenID: ShownScreen]

  /// The number of screens above which a dictionary is used instead of a linear search.
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
    index = isLarge ? Dictionary(oldScreens.map { ($0.id, $0) }, uniquingKeysWith: { $1 }) : Dictionary()
  }

  /// Returns the old version of a screen; nil if the screen is new or unchanged.
  func old(_ id: ScreenID) -> ShownScreen? { index.isEmpty ? oldScreens.last { $0.id == id } : index[id] }

  /// The screens that were removed, top first.
  var removed: [ShownScreen] {
    guard screens.count <= Self.few else {
      let left = Set(screens.map(\.id))
      return oldScreens.reversed().filter { !left.contains($0.id) }
    }
    return oldScreens.reversed().filter { old in !screens.contains { $0.id == old.id } }
  }
}
