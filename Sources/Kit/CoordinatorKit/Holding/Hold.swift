/// Why a coordinator is held, and when it is tried again. An object, so that it takes little room in the record of a
/// coordinator.
package final class Hold: Sendable {
  /// What keeps an event from being handled for which no caller waits.
  enum Obstacle: Sendable, Hashable {
    /// The event cannot be handled until something has changed.
    case refusal(String)
    /// Another coordinator would have to handle it, and is held itself.
    case otherHold(String)
    /// The provider of a coordinator has given no answer.
    case provider(ProviderTrouble)
    /// The coordinator is held already.
    case same
  }

  /// After how many answers that cannot be used a provider is not asked by itself any more.
  private static let maxFailures = 3
  let obstacle: Obstacle
  /// The program that served the flow at that time; nil if nothing did.
  private let server: ServingProgram?
  /// How often the event has been tried.
  private let tries: Int
  /// How often its provider has failed over it.
  private let failures: Int

  /// Creates a hold.
  ///
  /// - Parameters:
  ///   - obstacle: what keeps the event from being handled.
  ///   - previous: the hold before the last try, if there was one.
  ///   - server: the program that serves the flow; nil if nothing does.
  init(_ obstacle: Obstacle, after previous: Hold?, server: ServingProgram?) {
    self.obstacle = obstacle
    self.server = server
    tries = (previous?.tries ?? 0) + 1
    failures = (previous?.failures ?? 0) + (obstacle.isFailure ? 1 : 0)
  }

  /// Why the coordinator is held, for people.
  package var reason: String {
    switch obstacle {
    case .refusal(let reason), .otherHold(let reason): reason
    case .provider(let trouble): trouble.description
    case .same: ""
    }
  }

  /// How long to wait before the event is tried again; nil if that is not done without a reason.
  var delay: Duration? {
    switch obstacle {
    case .otherHold, .provider: failures < Self.maxFailures ? .seconds(min(60, 1 << min(6, tries - 1))) : nil
    case .refusal, .same: nil
    }
  }

  /// Returns what a caller is answered whose call the coordinator would have to handle.
  func error(at path: CoordinatorPath) -> CallError {
    if case .provider(let trouble) = obstacle, delay != nil { return .provider(trouble) }
    return .held(path, reason)
  }

  /// Returns whether to try again because a program serves the flow: not if it is the same that could not go on.
  func ends(by server: ServingProgram?) -> Bool { delay != nil || server != self.server }
}

extension Hold.Obstacle {
  /// Whether the provider is at fault, and not only away.
  fileprivate var isFailure: Bool {
    switch self {
    case .provider(.failed), .provider(.timeout): true
    case .provider(.gone), .refusal, .otherHold, .same: false
    }
  }
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
