/// A router that replaces the root: everything that was shown is dismissed, and the user cannot go back to it.
public struct WindowRouter: Router {
  /// Creates a window router.
  public init() {}

  /// Dismisses all screens and presents the screen as the root.
  public func present(_ screen: ShownScreen, in window: inout Window, parentLayer: UInt32) -> [ShownScreen] {
    window.replaceRoot(with: screen)
  }
}
