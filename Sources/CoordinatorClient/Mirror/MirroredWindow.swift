import CoordinatorBus

/// What a flow tree shows, as a renderer is to paint it.
public struct MirroredWindow: Sendable, Hashable {
  /// The revision that the window shows; what to give as `seen` when delegating.
  public var revision: UInt64
  /// All screens of all layers, bottom first.
  public var screens: [PresentedScreen]

  /// A window with the given screens, bottom first.
  public init(revision: UInt64, screens: [PresentedScreen]) {
    self.revision = revision
    self.screens = screens
  }

  /// The screen to show and to act on; nil when there is none.
  public var top: PresentedScreen? { screens.last }
}
