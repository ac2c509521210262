extension Transition {
  /// Puts up the screen of a route; what it shows is computed when the handler returns.
  mutating func present(_ route: any RouteValue, of path: CoordinatorPath, as kind: RouterKind?, animated: Bool) {
    guard let record = after.coordinators[path], isAlive(path) else { return }
    guard window.screens.count < limits.maxScreens else {
      breach = breach ?? .limitExceeded("a window holds at most \(limits.maxScreens) screens")
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

  /// Puts up the screen of a route in the place of the coordinator's topmost one, or on top if it has none.
  mutating func replaceTop(with route: any RouteValue, of path: CoordinatorPath, animated: Bool) {
    guard isAlive(path) else { return }
    guard let top = window.topScreen(of: path)?.id else { return present(route, of: path, as: nil, animated: animated) }
    let removed = after.window.replace(top, with: newScreen(route, of: path, animated: animated))
    take(down: removed, .replaced, animated: animated, by: path)
  }

  /// Takes down all but the lowest `count` screens of a coordinator, and all that stands on them.
  mutating func dismiss(of path: CoordinatorPath, animated: Bool, keeping count: Int) {
    guard let lowest = window.ids(of: path).dropFirst(max(count, 0)).first else { return }
    let removed = after.window.remove(lowest)
    take(down: removed, .dismissed, animated: animated, by: path)
  }

  /// Takes down all that stands on a screen.
  mutating func dismiss(above id: ScreenID, by path: CoordinatorPath, animated: Bool) {
    guard let index = window.screens.lastIndex(where: { $0.id == id }), index + 1 < window.screens.count else { return }
    let lowest = window.screens[index + 1].id
    let removed = after.window.remove(lowest)
    take(down: removed, .dismissed, animated: animated, by: path)
  }

  /// Takes the top screen down because the user went back from it.
  mutating func goBack(from screen: ShownScreen) {
    let removed = after.window.remove(screen.id)
    take(down: removed, .back, animated: true, by: screen.coordinator)
  }

  /// Attaches a message to a screen, if it is still there.
  mutating func attach(_ message: ScreenMessage, to screen: ScreenID) {
    after.window.update(screen) { $0.attached.append(message) }
  }

  /// Forgets the messages that came with the last event on a screen.
  mutating func clearAttached(on screen: ScreenID) {
    guard window[screen]?.attached.isEmpty == false else { return }
    after.window.update(screen) { $0.attached = [] }
  }

  /// Keeps what was typed on a screen, in place of what was kept before.
  mutating func keep(draft: [String: JSONValue], on id: ScreenID) { after.window.update(id) { $0.draft = draft } }

  /// Takes over what a coordinator is after its handler: its state, and what its screens show.
  mutating func complete(_ path: CoordinatorPath, state: any FlowState, _ screens: [ComputedScreen]) {
    after.coordinators[path]?.state = state
    touched.insert(path)
    for screen in screens {
      after.window.update(screen.id) {
        $0.content = screen.content
        $0.back = screen.back
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

  /// The topmost layer of the nearest coordinator above that has a screen.
  private func layerAbove(_ path: CoordinatorPath) -> UInt32 {
    var above = path.parent
    while let path = above {
      if let layer = window.layer(of: path) { return layer }
      above = path.parent
    }
    return 0
  }
}

/// What a screen shows after its coordinator's handler.
struct ComputedScreen: Sendable {
  let id: ScreenID
  let content: Screen
  /// Whether it can be left by going back.
  let back: Bool
}

extension Screen {
  /// What stands in a window between `present` and the end of the handler.
  static let notYetComputed = Screen("", kind: .message, title: "")
}
