import CoordinatorBus

/// What a flow tree shows, as a renderer is to paint it.
public struct MirroredWindow: Sendable, Hashable {
  /// The revision that the window shows; what to give as `seen` when delegating.
  public var revision: UInt64
  /// All screens of all layers, bottom first.
  public var screens: [PresentedScreen]
  /// Why the tree is held, for people: then it shows nothing, and nothing of it is lost. nil if it is not.
  public var held: String?

  /// A window with the given screens, bottom first.
  public init(revision: UInt64, screens: [PresentedScreen], held: String? = nil) {
    self.revision = revision
    self.screens = screens
    self.held = held
  }

  /// The screen to show and to act on; nil when there is none.
  public var top: PresentedScreen? { screens.last }
}
