/// Determines how a coordinator presents its screens. The three routers differ in where a new screen goes, and in
/// whether Back leaves it.
///
/// A router is a stateless value. In the Coordinator pattern, routers usually own view controllers; these act on a
/// ``Window``.
///
/// ```swift
/// let router = RouterKind.modal.router
/// let dismissed = router.present(screen, in: &window, parentLayer: 0)
/// ```
public protocol Router: Sendable {
  /// Called to present a screen. Your implementation should insert the screen into the window.
  ///
  /// - Parameters:
  ///   - screen: the screen; the router sets its `style` and `layer`, and a window router also its `back`.
  ///   - window: the window to change.
  ///   - parentLayer: the layer of the nearest ancestor that has a screen, for a coordinator without one.
  /// - Returns: the screens that were dismissed to make room, top first.
  func present(_ screen: ShownScreen, in window: inout Window, parentLayer: UInt32) -> [ShownScreen]
}

/// The router of a coordinator, chosen by its starter.
public enum RouterKind: String, Sendable, Hashable, Codable {
  /// Replaces the root of the window.
  case window
  /// Pushes on top of its coordinator's layer.
  case navigation
  /// Pushes onto a dedicated stack, on top of everything else.
  case modal

  /// The router of this kind.
  public var router: any Router {
    switch self {
    case .window: WindowRouter()
    case .navigation: NavigationRouter()
    case .modal: ModalNavigationRouter()
    }
  }
}

/// A router that replaces the root: everything that was shown is dismissed, and the user cannot go back to it.
public struct WindowRouter: Router {
  /// Creates a window router.
  public init() {}

  /// Dismisses all screens and presents the screen as the root.
  public func present(_ screen: ShownScreen, in window: inout Window, parentLayer: UInt32) -> [ShownScreen] {
    window.replaceRoot(with: screen)
  }
}

/// A router that pushes: a new screen goes on top of its coordinator's layer, below higher layers (rule 5).
public struct NavigationRouter: Router {
  /// Creates a navigation router.
  public init() {}

  /// Pushes the screen onto its coordinator's topmost layer, or onto the parent's if the coordinator has no screen.
  public func present(_ screen: ShownScreen, in window: inout Window, parentLayer: UInt32) -> [ShownScreen] {
    window.push(screen, onto: window.layer(of: screen.coordinator) ?? parentLayer)
    return []
  }
}

/// A router with a dedicated stack above its parent: the first screen opens a new layer on top of all others, and further
/// screens are pushed there.
public struct ModalNavigationRouter: Router {
  /// Creates a modal navigation router.
  public init() {}

  /// Opens a new top layer with the screen, or pushes the screen onto the layer that its coordinator already has.
  public func present(_ screen: ShownScreen, in window: inout Window, parentLayer: UInt32) -> [ShownScreen] {
    if let layer = window.layer(of: screen.coordinator) {
      window.push(screen, onto: layer)
    } else {
      window.presentModally(screen)
    }
    return []
  }
}
