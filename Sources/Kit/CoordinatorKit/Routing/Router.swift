/// How a coordinator puts its screens up: the three kinds differ in where a new screen goes, and in whether Back leaves it.
///
/// A router is a value that decides; it keeps nothing. The Coordinator pattern's routers own view controllers, ours act on a ``Window``.
public protocol Router: Sendable {
  /// Puts a screen up.
  ///
  /// - Parameters:
  ///   - screen: the screen; its `style`, `layer` and, of a window router, `back` are set here.
  ///   - window: where to put it up.
  ///   - parentLayer: the layer of the coordinators above, for one that has no screen of its own yet.
  /// - Returns: what had to be taken down for it, top first.
  func present(_ screen: ShownScreen, in window: inout Window, parentLayer: UInt32) -> [ShownScreen]
}

/// Which of the three routers a coordinator has; told by who starts it.
public enum RouterKind: String, Sendable, Hashable, Codable {
  /// Replaces the root of the window.
  case window
  /// Pushes on top of its coordinator's layer.
  case navigation
  /// Pushes on a stack of its own, on top of everything that was there.
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
