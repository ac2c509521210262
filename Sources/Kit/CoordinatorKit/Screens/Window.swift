/// The screens of one flow tree, in all layers.
///
/// A value without I/O. The screens are in one order, bottom first: the main stack (layer 0), followed by each modal
/// layer. Users can only act on the last screen, which is the top screen of the top layer (rule 5).
public struct Window: Sendable {
  /// All screens, bottom first.
  public private(set) var screens: [ShownScreen] = []

  /// Creates an empty window.
  public init() {}

  /// Creates a window from screens in any order. Within a layer, screens are ordered by their ids.
  init(_ screens: [ShownScreen]) {
    self.screens = screens.sorted { ($0.layer, $0.id) < ($1.layer, $1.id) }
  }

  /// The top screen; nil if there is none.
  public var top: ShownScreen? { screens.last }

  /// The screen with the given id, if it is shown or covered.
  public subscript(id: ScreenID) -> ShownScreen? {
    screens.last { $0.id == id }
  }

  /// The approximate size of all screens on the bus in bytes, within a small factor.
  package var roughSize: Int { screens.reduce(0) { $0 + $1.roughSize } }

  /// Returns whether the approximate size of all screens on the bus exceeds a number of bytes.
  package func isLarger(than bytes: Int) -> Bool {
    var size = 0
    return screens.contains { screen in
      size += screen.roughSize
      return size > bytes
    }
  }

  /// Returns the ids of a coordinator's own screens, bottom first.
  public func ids(of coordinator: CoordinatorPath) -> [ScreenID] {
    var ids: [ScreenID] = []
    let hash = coordinator.hashValue
    for screen in screens where screen.belongs(to: coordinator, hash: hash) { ids.append(screen.id) }
    return ids
  }

  /// Returns the topmost of a coordinator's own screens; nil if it has none.
  func topScreen(of coordinator: CoordinatorPath) -> ShownScreen? {
    let hash = coordinator.hashValue
    return screens.last { $0.belongs(to: coordinator, hash: hash) }
  }

  /// Returns whether this window contains a screen of a coordinator.
  public func hasScreens(of coordinator: CoordinatorPath) -> Bool {
    topScreen(of: coordinator) != nil
  }

  /// Returns the topmost layer in which a coordinator has a screen; nil if it has none.
  public func layer(of coordinator: CoordinatorPath) -> UInt32? {
    topScreen(of: coordinator)?.layer
  }

  /// Inserts a screen on top of a layer, below the layers above it.
  mutating func push(_ screen: ShownScreen, onto layer: UInt32) {
    var screen = screen
    screen.style = .push
    screen.layer = layer
    let index = screens.firstIndex { $0.layer > layer } ?? screens.endIndex
    screens.insert(screen, at: index)
  }

  /// Adds a screen as the lowest of a new layer on top of all others.
  mutating func presentModally(_ screen: ShownScreen) {
    var screen = screen
    screen.style = .modal
    // A modal layer is above the main stack, even if that is empty.
    screen.layer = (screens.last?.layer ?? 0) + 1
    screens.append(screen)
  }

  /// Removes all screens, and adds a screen as the root.
  ///
  /// - Returns: the removed screens, top first.
  mutating func replaceRoot(with screen: ShownScreen) -> [ShownScreen] {
    let removed = Array(screens.reversed())
    var screen = screen
    screen.style = .root
    screen.layer = 0
    screen.back = false
    screens = [screen]
    return removed
  }

  /// Replaces a screen, and removes everything above it.
  ///
  /// - Returns: the removed screens, top first. If the window has no screen `id`, nothing is changed and the array is
  ///   empty.
  mutating func replace(_ id: ScreenID, with screen: ShownScreen) -> [ShownScreen] {
    guard let index = screens.lastIndex(where: { $0.id == id }) else { return [] }
    var screen = screen
    screen.style = screens[index].style
    screen.layer = screens[index].layer
    if screen.style == .root { screen.back = false }
    let removed = remove(from: index)
    screens.append(screen)
    return removed
  }

  /// Removes screens, with everything above them in their layers and all higher layers (rule 5).
  ///
  /// Since screens are ordered bottom first, these are the lowest matching screen and all that follow it.
  ///
  /// - Returns: the removed screens, top first.
  mutating func remove(where isRemoved: (ShownScreen) -> Bool) -> [ShownScreen] {
    screens.firstIndex(where: isRemoved).map { remove(from: $0) } ?? []
  }

  /// Removes a screen, if it exists, with everything above it, as ``remove(where:)`` does.
  mutating func remove(_ id: ScreenID) -> [ShownScreen] {
    screens.lastIndex { $0.id == id }.map { remove(from: $0) } ?? []
  }

  private mutating func remove(from lowest: Int) -> [ShownScreen] {
    let removed = Array(screens[lowest...].reversed())
    screens.removeSubrange(lowest...)
    return removed
  }

  /// Changes one screen in place.
  mutating func update(_ id: ScreenID, _ change: (inout ShownScreen) -> Void) {
    guard let index = screens.lastIndex(where: { $0.id == id }) else { return }
    change(&screens[index])
  }

  /// Changes each screen of one coordinator in place.
  mutating func updateScreens(of coordinator: CoordinatorPath, _ change: (inout ShownScreen) -> Void) {
    for index in screens.indices where screens[index].coordinator == coordinator { change(&screens[index]) }
  }
}

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

/// The number of a screen in its flow tree. Screens are numbered 1, 2, 3 … as they are presented; numbers are never
/// reused.
public struct ScreenID: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
  /// The number as it appears on the bus.
  public let number: UInt64

  /// Creates the id with the given number.
  public init(_ number: UInt64) { self.number = number }

  /// The number in decimal.
  public var description: String { String(number) }

  /// Returns whether one screen was presented before the other.
  public static func < (left: ScreenID, right: ScreenID) -> Bool { left.number < right.number }
}
