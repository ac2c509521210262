/// What one flow tree shows, all layers of it.
///
/// A value without I/O. Screens stand in one order, bottom first: the main stack (layer 0), then each modal layer. Only the
/// last one, the top screen of the top layer, can be acted on (rule 5).
public struct Window: Sendable {
  /// All screens, bottom first.
  public private(set) var screens: [ShownScreen] = []

  /// A window that shows nothing.
  public init() {}

  /// A window with screens in any order: within a layer they were put up in the order of their ids.
  init(_ screens: [ShownScreen]) {
    self.screens = screens.sorted { ($0.layer, $0.id) < ($1.layer, $1.id) }
  }

  /// The screen to show; nil if there is none.
  public var top: ShownScreen? { screens.last }

  /// The screen with the given id, if it is shown or covered.
  public subscript(id: ScreenID) -> ShownScreen? {
    screens.last { $0.id == id }
  }

  /// About how many bytes its screens take on the bus; within a small factor.
  package var roughSize: Int { screens.reduce(0) { $0 + $1.roughSize } }

  /// Whether its screens take up more than some bytes on the bus, about.
  package func isLarger(than bytes: Int) -> Bool {
    var size = 0
    return screens.contains { screen in
      size += screen.roughSize
      return size > bytes
    }
  }

  /// The ids of one coordinator's own screens, bottom first.
  public func ids(of coordinator: CoordinatorPath) -> [ScreenID] {
    var ids: [ScreenID] = []
    let hash = coordinator.hashValue
    for screen in screens where screen.belongs(to: coordinator, hash: hash) { ids.append(screen.id) }
    return ids
  }

  /// The topmost of a coordinator's own screens; nil if it has none.
  func topScreen(of coordinator: CoordinatorPath) -> ShownScreen? {
    let hash = coordinator.hashValue
    return screens.last { $0.belongs(to: coordinator, hash: hash) }
  }

  /// Whether a coordinator has a screen of its own here.
  public func hasScreens(of coordinator: CoordinatorPath) -> Bool {
    topScreen(of: coordinator) != nil
  }

  /// The topmost layer in which a coordinator has a screen; nil if it has none.
  public func layer(of coordinator: CoordinatorPath) -> UInt32? {
    topScreen(of: coordinator)?.layer
  }

  /// Puts a screen on top of a layer, below the layers above it.
  mutating func push(_ screen: ShownScreen, onto layer: UInt32) {
    var screen = screen
    screen.style = .push
    screen.layer = layer
    let index = screens.firstIndex { $0.layer > layer } ?? screens.endIndex
    screens.insert(screen, at: index)
  }

  /// Puts a screen up as the lowest of a new layer on top of all others.
  mutating func presentModally(_ screen: ShownScreen) {
    var screen = screen
    screen.style = .modal
    // A modal layer stands on a main stack, even on an empty one.
    screen.layer = (screens.last?.layer ?? 0) + 1
    screens.append(screen)
  }

  /// Takes everything down and puts a screen up as the only one.
  ///
  /// - Returns: what was taken down, top first.
  mutating func replaceRoot(with screen: ShownScreen) -> [ShownScreen] {
    let removed = Array(screens.reversed())
    var screen = screen
    screen.style = .root
    screen.layer = 0
    screen.back = false
    screens = [screen]
    return removed
  }

  /// Puts a screen in the place of another, and takes down all that stood on the other.
  ///
  /// - Returns: what was taken down, top first; empty if `id` is not here, and then nothing is put up either.
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

  /// Takes screens down, with everything above them in their layers and every layer above (rule 5).
  ///
  /// Since screens stand bottom first, that is the lowest of them and all that follow.
  ///
  /// - Returns: what was taken down, top first.
  mutating func remove(where isRemoved: (ShownScreen) -> Bool) -> [ShownScreen] {
    screens.firstIndex(where: isRemoved).map { remove(from: $0) } ?? []
  }

  /// Takes a screen down, if it is there, with everything above it; as ``remove(where:)``.
  mutating func remove(_ id: ScreenID) -> [ShownScreen] {
    screens.lastIndex { $0.id == id }.map { remove(from: $0) } ?? []
  }

  private mutating func remove(from lowest: Int) -> [ShownScreen] {
    let removed = Array(screens[lowest...].reversed())
    screens.removeSubrange(lowest...)
    return removed
  }

  /// Changes one screen in its place.
  mutating func update(_ id: ScreenID, _ change: (inout ShownScreen) -> Void) {
    guard let index = screens.lastIndex(where: { $0.id == id }) else { return }
    change(&screens[index])
  }

  /// Changes each screen of one coordinator in its place.
  mutating func updateScreens(of coordinator: CoordinatorPath, _ change: (inout ShownScreen) -> Void) {
    for index in screens.indices where screens[index].coordinator == coordinator { change(&screens[index]) }
  }
}
