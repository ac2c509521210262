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
