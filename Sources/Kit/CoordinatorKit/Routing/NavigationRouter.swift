/// Pushes: a new screen lands on top of its coordinator's layer, below higher layers (rule 5).
public struct NavigationRouter: Router {
  /// A navigation router.
  public init() {}

  /// Puts the screen on top of its coordinator's topmost layer, or of the parent's while the coordinator has none.
  public func present(_ screen: ShownScreen, in window: inout Window, parentLayer: UInt32) -> [ShownScreen] {
    window.push(screen, onto: window.layer(of: screen.coordinator) ?? parentLayer)
    return []
  }
}
