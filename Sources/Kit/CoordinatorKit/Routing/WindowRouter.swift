/// Replaces the root: what was shown is taken down, and the user cannot go back to it.
public struct WindowRouter: Router {
  /// A window router.
  public init() {}

  /// Takes everything down and puts the screen up as the root.
  public func present(_ screen: ShownScreen, in window: inout Window, parentLayer: UInt32) -> [ShownScreen] {
    window.replaceRoot(with: screen)
  }
}
