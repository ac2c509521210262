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
  /// Pushes onto a stack of its own, on top of everything else.
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
