/// A router with a stack of its own above its parent: the first screen opens a new layer on top of all others, and
/// further screens are pushed there.
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
