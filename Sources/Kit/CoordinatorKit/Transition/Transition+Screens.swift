extension Transition {
  /// Presents the screen of a route. Its content is computed when the handler returns.
  mutating func present(_ route: any RouteValue, of path: CoordinatorPath, as kind: RouterKind?, animated: Bool) {
    guard let record = after.coordinators[path], isAlive(path) else { return }
    guard window.screens.count < limits.maxScreens else {
      breach = breach ?? .limitExceeded("a window must not have more than \(limits.maxScreens) screens")
      return
    }
    let screen = newScreen(route, of: path, animated: animated)
    if kind == .modal {
      after.window.presentModally(screen)
      return
    }
    let router = (kind ?? record.router).router
    let removed = router.present(screen, in: &after.window, parentLayer: layerAbove(path))
    take(down: removed, .replaced, animated: animated, by: path)
  }

  /// Replaces the coordinator's topmost screen with the screen of a route, or presents the screen if there is none.
  mutating func replaceTop(with route: any RouteValue, of path: CoordinatorPath, animated: Bool) {
    guard isAlive(path) else { return }
    guard let top = window.topScreen(of: path)?.id else { return present(route, of: path, as: nil, animated: animated) }
    let removed = after.window.replace(top, with: newScreen(route, of: path, animated: animated))
    take(down: removed, .replaced, animated: animated, by: path)
  }

  /// Dismisses all but the lowest `count` screens of a coordinator, and everything above them.
  mutating func dismiss(of path: CoordinatorPath, animated: Bool, keeping count: Int) {
    guard let lowest = window.ids(of: path).dropFirst(max(count, 0)).first else { return }
    let removed = after.window.remove(lowest)
    take(down: removed, .dismissed, animated: animated, by: path)
  }

  /// Dismisses everything above a screen.
  mutating func dismiss(above id: ScreenID, by path: CoordinatorPath, animated: Bool) {
    guard let index = window.screens.lastIndex(where: { $0.id == id }), index + 1 < window.screens.count else { return }
    let lowest = window.screens[index + 1].id
    let removed = after.window.remove(lowest)
    take(down: removed, .dismissed, animated: animated, by: path)
  }

  /// Dismisses the top screen because the user went back from it.
  mutating func goBack(from screen: ShownScreen) {
    let removed = after.window.remove(screen.id)
    take(down: removed, .back, animated: true, by: screen.coordinator)
  }

  /// Attaches a message to a screen, if it still exists.
  mutating func attach(_ message: ScreenMessage, to screen: ScreenID) {
    after.window.update(screen) { $0.attached.append(message) }
  }

  /// Removes the messages that the last event attached to a screen.
  mutating func clearAttached(on screen: ScreenID) {
    guard window[screen]?.attached.isEmpty == false else { return }
    after.window.update(screen) { $0.attached = [] }
  }

  /// Replaces the draft of a screen.
  mutating func keep(draft: [String: JSONValue], on id: ScreenID) { after.window.update(id) { $0.draft = draft } }

  /// Stores a coordinator's state and the content of its screens after its handler has run.
  mutating func complete(_ path: CoordinatorPath, state: any FlowState, _ screens: [ComputedScreen]) {
    after.coordinators[path]?.state = state
    touched.insert(path)
    let timers = after.coordinators[path]?.belongings.timers ?? []
    for screen in screens {
      var content = screen.content
      content.elapses = content.until.flatMap { until in timers.lazy.filter { $0.due == until }.compactMap(\.lapse?.end).first }
      let held = animations[screen.id] == nil ? nil : heldValues(of: screen.content, of: path)
      after.window.update(screen.id) {
        $0.content = content
        $0.back = screen.back
        $0.leaves = screen.leaves
        if let held { $0.draft = held }
        // In the present language.
        if $0.isHeld { $0.isHeld = true }
      }
    }
  }

  private mutating func newScreen(_ route: any RouteValue, of path: CoordinatorPath, animated: Bool) -> ShownScreen {
    after.lastScreen += 1
    let id = ScreenID(after.lastScreen)
    animations[id] = animated
    return ShownScreen(
      id: id, coordinator: path, route: route, style: .push, layer: 0, content: .notYetComputed, attached: [], back: true,
      changedAt: 0)
  }

  /// Returns the topmost layer of the nearest ancestor that has a screen.
  private func layerAbove(_ path: CoordinatorPath) -> UInt32 {
    var above = path.parent
    while let path = above {
      if let layer = window.layer(of: path) { return layer }
      above = path.parent
    }
    return 0
  }
}

/// The content of a screen after its coordinator's handler has run.
struct ComputedScreen: Sendable {
  let id: ScreenID
  let content: Screen
  /// Whether the user can go back from it.
  let back: Bool
  /// Whether that ends the flow.
  let leaves: Bool
}

extension Screen {
  /// The content of a screen between `present` and the end of the handler.
  static let notYetComputed = Screen("", kind: .message, title: "")
}
