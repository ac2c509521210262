import CoordinatorClient

/// The stakes when a user goes back from a screen that ends the flow, or may end it.
///
/// Decides whether the user is asked first (``LeavingStep/question``): if there is unsent input, if an earlier screen was
/// answered, or if other renderers show the flow.
public struct LeavingStakes: Sendable, Hashable {
  /// The action of a renderer when its user leaves.
  public enum Decision: Sendable, Hashable {
    /// Ask first.
    case ask
    /// Go back at once: nothing is lost, and no other user is affected.
    case goBack
    /// Count the other attached renderers, then decide.
    case countOthers
  }

  /// Whether there is unsent input or an unsent choice, here or in another renderer.
  public var isTyped: Bool
  /// Whether the flow has changed since it started, which it does with every answer.
  public var isAnswered: Bool
  /// The number of other attached renderers; nil if it is not known.
  public var others: Int?

  /// The revision of a flow tree that has just started.
  private static let firstRevision: UInt64 = 1

  /// Creates the stakes of leaving.
  ///
  /// - Parameters:
  ///   - window: window that the user leaves.
  ///   - isTyped: whether this renderer has unsent input or an unsent choice.
  ///   - others: number of other attached renderers; nil if it is not known.
  public init(in window: MirroredWindow, isTyped: Bool = false, others: Int? = nil) {
    self.isTyped = isTyped || window.screens.contains { !$0.draft.isEmpty }
    isAnswered = window.revision > Self.firstRevision
    self.others = others
  }

  /// The action to take.
  public var decision: Decision {
    if isTyped || isAnswered { return .ask }
    return others.map { $0 > 0 ? .ask : .goBack } ?? .countOthers
  }
}
