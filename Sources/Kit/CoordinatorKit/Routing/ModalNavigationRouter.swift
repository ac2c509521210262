/// A stack of its own on top of its parent: the first screen opens a new layer on top of all others, the next ones are pushed there.
public struct ModalNavigationRouter: Router {
  /// A modal navigation router.
  public init() {}

  /// Opens a new top layer with the screen, or pushes it onto the layer that its coordinator has.
  public func present(_ screen: ShownScreen, in window: inout Window, parentLayer: UInt32) -> [ShownScreen] {
    if let layer = window.layer(of: screen.coordinator) {
      window.push(screen, onto: layer)
    } else {
      window.presentModally(screen)
    }
    return []
  }
}
