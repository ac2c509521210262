/// What set a transition off, and who: for a history that says who did what when. Never holds what a user typed.
public struct Occasion: Sendable, Hashable {
  /// The kinds of things that set a transition off; the raw values are for people and scripts.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The tree was started.
    case start
    /// An event was delegated.
    case delegate
    /// The user went back.
    case back
    /// A coordinator was dismissed.
    case dismiss
    /// A child was started from outside.
    case startChild = "start-child"
    /// What was typed and not sent yet is to be kept. Not told by the history.
    case draft
    /// A piece of work was done, or was cut short by a restart.
    case work
    /// The tree's time was up.
    case timeout
    /// The caller whom the tree was for has left.
    case callerLeft = "caller-left"
    /// A handler did not return.
    case notResponding = "not-responding"
    /// The tree could not be taken up after a restart, and was ended. Only older versions did that: now such a tree is held.
    case notRestored = "not-restored"
  }

  /// What happened.
  public var kind: Kind
  /// The coordinator that it was meant for, or whose screen was left.
  public var coordinator: CoordinatorPath?
  /// The screen that it came from.
  public var screen: ScreenID?
  /// The name of the event, or of the flow that was started.
  public var name: String?
  /// Who called; nil if nobody did.
  public var caller: Caller?

  /// Puts an occasion together.
  public init(
    _ kind: Kind, coordinator: CoordinatorPath? = nil, screen: ScreenID? = nil, name: String? = nil, caller: Caller? = nil
  ) {
    self.kind = kind
    self.coordinator = coordinator
    self.screen = screen
    self.name = name
    self.caller = caller
  }
}

/// Who calls on a flow tree.
public struct Caller: Sendable, Hashable, Codable {
  /// The user's number in the system; nil if it is not known.
  public var user: UInt32?
  /// The name of the connection that it called by.
  public var name: String

  /// A caller.
  public init(user: UInt32? = nil, name: String) {
    self.user = user
    self.name = name
  }
}

extension Cause {
  /// What the history says of it.
  func occasion(in state: TreeState) -> Occasion {
    switch self {
    case .start(let flow, _, let caller): Occasion(.start, coordinator: state.root, name: flow, caller: caller)
    case .call(let call, _, let caller): call.occasion(in: state, caller)
    case .close(let isTimeout): Occasion(isTimeout ? .timeout : .callerLeft, coordinator: state.root)
    case .work(let path, _), .interruption(let path, _): Occasion(.work, coordinator: path)
    }
  }
}

extension TreeCall {
  fileprivate func occasion(in state: TreeState, _ caller: Caller?) -> Occasion {
    switch self {
    case .delegate(let path, let screen, let event, _, _):
      Occasion(.delegate, coordinator: path, screen: screen, name: event, caller: caller)
    case .back(let screen):
      Occasion(.back, coordinator: state.window[screen]?.coordinator, screen: screen, caller: caller)
    case .saveDraft(let screen, _):
      Occasion(.draft, coordinator: state.window[screen]?.coordinator, screen: screen, caller: caller)
    case .dismiss(let path, _): Occasion(.dismiss, coordinator: path, caller: caller)
    case .startChild(let path, let flow, _, _): Occasion(.startChild, coordinator: path, name: flow, caller: caller)
    }
  }
}
