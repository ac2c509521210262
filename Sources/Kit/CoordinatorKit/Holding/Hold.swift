/// Why a coordinator is held, and when it is tried again. An object, so that it takes little room in the record of a
/// coordinator.
package final class Hold: Sendable {
  /// What keeps an event from being handled for which no caller waits.
  enum Obstacle: Sendable, Hashable {
    /// The event cannot be handled until something has changed, such as the program that was asked last.
    case refusal(String, AskingHistory)
    /// Another coordinator would have to handle it, and is held itself.
    case otherHold(String)
    /// The provider of a coordinator has given no answer that could be used.
    case provider(ProviderTrouble, AskingHistory)
    /// The coordinator is held already.
    case same
  }

  let obstacle: Obstacle
  /// What has come of asking about the event.
  let history: AskingHistory
  /// How often the event has been tried.
  private let tries: Int

  /// Creates a hold.
  ///
  /// - Parameters:
  ///   - obstacle: what keeps the event from being handled.
  ///   - previous: the hold before the last try, if there was one.
  init(_ obstacle: Obstacle, after previous: Hold?) {
    self.obstacle = obstacle
    tries = (previous?.tries ?? 0) + 1
    switch obstacle {
    case .provider(.failed, let history), .provider(.timeout, let history): self.history = history.failed()
    case .provider(.gone, let history), .refusal(_, let history): self.history = history
    // What has come of asking before is over: its own provider, if it was asked, has decided well.
    case .otherHold: history = AskingHistory()
    case .same: history = previous?.history ?? AskingHistory()
    }
  }

  /// Why the coordinator is held, for people.
  package var reason: String {
    switch obstacle {
    case .refusal(let reason, _), .otherHold(let reason): reason
    case .provider(let trouble, _): trouble.description
    case .same: ""
    }
  }

  /// How long to wait before the event is tried again; nil if that is not done without a reason.
  var delay: Duration? {
    switch obstacle {
    case .otherHold, .provider: !history.isExhausted ? .seconds(min(60, 1 << min(6, tries - 1))) : nil
    case .refusal, .same: nil
    }
  }

  /// Returns what a caller is answered whose call the coordinator would have to handle.
  func error(at path: CoordinatorPath) -> CallError {
    if case .provider(let trouble, _) = obstacle, delay != nil { return .provider(trouble) }
    return .held(path, reason)
  }

  /// Returns whether to try again because flows are served.
  ///
  /// - Parameter server: returns who serves a flow; nil if nothing does.
  /// - Returns: true if it only waits, or if the program that could not go on was changed. A new process of the same program
  ///   is no reason.
  func ends(by server: (String) -> ServingProgram?) -> Bool {
    if delay != nil { return true }
    guard let flow = history.instance?.flow, let program = history.program, let server = server(flow) else { return false }
    return server.name == program.name && server.isAnother(than: program)
  }
}

/// A coordinator that is being tried again.
struct Retrial: Sendable {
  let path: CoordinatorPath
  /// The hold from before; nil once an event has been handled, because the next one is another.
  private(set) var hold: Hold?
  /// What has come of asking about the event.
  private(set) var history: AskingHistory
  /// Whether a client has asked for that.
  let isWanted: Bool

  /// Creates the retrial of a coordinator that is held.
  init(of path: CoordinatorPath, _ hold: Hold, isWanted: Bool) {
    (self.path, self.hold, self.isWanted) = (path, hold, isWanted)
    history = isWanted ? hold.history.renewed() : hold.history
  }

  /// Records that the event has been handled.
  mutating func succeed() { (hold, history) = (nil, AskingHistory()) }
}

/// Which holds are tried again.
enum HoldRetry: Sendable {
  /// All, because a client asks for it.
  case all
  /// Those that wait for a provider, because flows are served again.
  case served
  /// That of one coordinator, because its time has come, unless it has another by now.
  case due(CoordinatorPath, Hold)
}
