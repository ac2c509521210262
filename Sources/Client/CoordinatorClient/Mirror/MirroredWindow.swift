import CoordinatorBus
import Languages

/// The window of a flow tree, as a renderer paints it.
public struct MirroredWindow: Sendable, Hashable {
  /// The revision that the window shows; pass it as `seen` when delegating.
  public var revision: UInt64
  /// All screens of all layers, bottom first.
  public var screens: [PresentedScreen]
  /// The reason why the tree is held, for users; nil if it is not held. A held tree shows no screens, but keeps its entire
  /// state.
  public var held: String?
  /// The language of the screens.
  public var language: LanguageTag

  /// Creates a window with the given screens, bottom first.
  public init(
    revision: UInt64, screens: [PresentedScreen], held: String? = nil, language: LanguageTag = .english
  ) {
    self.revision = revision
    self.screens = screens
    self.held = held
    self.language = language
  }

  /// The screen to show and to act on, or nil if there is none.
  public var top: PresentedScreen? { screens.last }
}
