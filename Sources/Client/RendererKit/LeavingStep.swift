import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Languages

/// The effect of going back from the top screen, as far as the user should know it beforehand.
public enum LeavingStep: Sendable, Hashable {
  /// There is no way back.
  case none
  /// Another screen is shown.
  case back
  /// The coordinator of the only screen ends. The flow decides how to continue; many flows end as well.
  case mayEnd
  /// The whole flow ends as cancelled, for all users who have it open.
  case end

  /// Determines the effect of going back in a window.
  ///
  /// The screen itself states that going back from it ends the flow. An absent statement also means that the daemon does
  /// not know the key yet: going back from a coordinator's first screen ends that coordinator and, if it is the root, the
  /// whole flow.
  public init(in window: MirroredWindow) {
    guard let top = window.top, top.back else {
      self = .none
      return
    }
    let owner = top.coordinator
    let isFirst = window.screens.first { $0.coordinator == owner }?.id == top.id
    if top.leaves || isFirst && Contract.root(of: owner) == owner {
      self = .end
    } else {
      self = window.screens.count == 1 ? .mayEnd : .back
    }
  }

  /// The question to ask before going back, if ``LeavingStakes`` demand it; nil if going back ends nothing.
  public var question: String? {
    switch self {
    case .none, .back: nil
    case .mayEnd: Text("Go back? This may end the flow for everyone who has it open.").string
    case .end: Text("End this flow for everyone who has it open?").string
    }
  }

  /// The name of the step on a button or a link.
  package var title: String { self == .end ? Text("End this flow").string : Text("Back").string }

  /// The name of the step beside its key.
  package var hint: Text { self == .end ? Text("end", context: "key") : Text("back", context: "key") }

  /// A sentence for the command line; nil if there is no way back.
  package var sentence: String? {
    switch self {
    case .none: nil
    case .back: "'coordinatorctl back' goes back."
    case .mayEnd: "'coordinatorctl back' goes back, which may end the flow: there is no other screen."
    case .end: "'coordinatorctl back' ends the flow: this is its first screen."
    }
  }
}

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
  /// The number of other attached renderers; nil if unknown.
  public var others: Int?

  /// The revision of a flow tree that has just started.
  private static let firstRevision: UInt64 = 1

  /// Creates the stakes of leaving.
  ///
  /// - Parameters:
  ///   - window: window that the user leaves.
  ///   - isTyped: whether this renderer has unsent input or an unsent choice.
  ///   - others: number of other attached renderers; nil if unknown.
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

/// The question that a renderer asks before it sends the event of an action.
public struct Confirmation: Sendable, Hashable {
  /// The title of the choice that sends nothing.
  public static var cancelTitle: String { Text("Cancel").string }

  /// The action that is sent if the user agrees.
  public let action: Action
  /// The question, as its author wrote it.
  public let question: String

  /// Creates the question of an action; nil if the action is sent without one.
  ///
  /// - Parameter action: action that the user has chosen.
  public init?(of action: Action) {
    guard action.disabled == nil, let question = action.confirmation else { return nil }
    self.action = action
    self.question = question
  }

  /// Whether the choice that sends nothing initially has the focus, because the action destroys something.
  public var isCautious: Bool { action.role == .destructive }

  /// Returns whether the question still applies to a screen: the same action is offered with the same question.
  ///
  /// - Parameter screen: screen that is shown now.
  /// - Returns: whether it applies.
  public func applies(to screen: Screen) -> Bool {
    screen.actions.contains { $0.id == action.id && Confirmation(of: $0) == self }
  }
}
