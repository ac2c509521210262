import CoordinatorBus
import CoordinatorClient

/// What going back from the screen on top comes to, as far as its user ought to know before.
public enum LeavingStep: Sendable, Hashable {
  /// There is no way back.
  case none
  /// Another screen is shown.
  case back
  /// The part of the flow ends that the only screen belongs to. What the flow does then is its own affair: many end as well.
  case mayEnd
  /// The whole flow ends as cancelled, for everybody who has it open.
  case end

  /// What going back in a window comes to.
  ///
  /// The first screen of a coordinator cannot be left without ending it; if that is the root, everything ends.
  public init(in window: MirroredWindow) {
    guard let top = window.top, top.back else {
      self = .none
      return
    }
    let owner = top.coordinator
    let isFirst = window.screens.first { $0.coordinator == owner }?.id == top.id
    if isFirst, Contract.root(of: owner) == owner {
      self = .end
    } else {
      self = window.screens.count == 1 ? .mayEnd : .back
    }
  }

  /// What a renderer asks before it goes back; nil if nothing is lost by that.
  public var question: String? {
    switch self {
    case .none, .back: nil
    case .mayEnd: "Go back? This may end the flow for everyone who has it open."
    case .end: "End this flow for everyone who has it open?"
    }
  }

  /// What the command line has for it; nil if there is no way back.
  var sentence: String? {
    switch self {
    case .none: nil
    case .back: "'coordinatorctl back' goes back."
    case .mayEnd: "'coordinatorctl back' goes back, which may end the flow: there is no other screen."
    case .end: "'coordinatorctl back' ends the flow: this is its first screen."
    }
  }
}
