import CoordinatorBus
import CoordinatorClient
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
