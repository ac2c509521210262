import CoordinatorClient

/// What is at stake when a user goes back from a screen that ends the flow, or may end it.
///
/// Decides whether the user is asked first (``LeavingStep/question``): if something was typed, if something was answered
/// before, or if the flow is shown elsewhere.
public struct LeavingStakes: Sendable, Hashable {
  /// What a renderer does when its user leaves.
  public enum Decision: Sendable, Hashable {
    /// Ask first.
    case ask
    /// Go back at once: nothing is lost, and nobody else is affected.
    case goBack
    /// Find out how many other renderers are attached, and decide then.
    case countOthers
  }

  /// Whether something was typed or chosen but not sent, here or in another renderer.
  public var isTyped: Bool
  /// Whether the flow has changed since it started, which it does with every answer.
  public var isAnswered: Bool
  /// How many other renderers are attached; nil if that is not known.
  public var others: Int?

  /// The revision of a flow tree that has just started.
  private static let firstRevision: UInt64 = 1

  /// Creates the stakes of leaving.
  ///
  /// - Parameters:
  ///   - window: window that the user leaves.
  ///   - isTyped: whether something was typed or chosen in this renderer, but not sent.
  ///   - others: number of other renderers that are attached; nil if it is not known.
  public init(in window: MirroredWindow, isTyped: Bool = false, others: Int? = nil) {
    self.isTyped = isTyped || window.screens.contains { !$0.draft.isEmpty }
    isAnswered = window.revision > Self.firstRevision
    self.others = others
  }

  /// What a renderer does.
  public var decision: Decision {
    if isTyped || isAnswered { return .ask }
    return others.map { $0 > 0 ? .ask : .goBack } ?? .countOthers
  }
}
