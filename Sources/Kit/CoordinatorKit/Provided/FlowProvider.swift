/// Decides for the coordinators of flows that are served by another process.
///
/// A provider decides, and has no effects: it may be asked the same question twice, and its answer may be dropped.
package protocol FlowProvider: Sendable {
  /// Returns which program serves a flow.
  ///
  /// - Parameter flow: the name of the flow.
  /// - Returns: the program; nil if nothing serves the flow.
  func server(of flow: String) -> ServingProgram?

  /// Returns whether nothing has served a flow for a while.
  ///
  /// - Parameter flow: the name of the flow.
  /// - Returns: whether it is away for so long that its coordinators may be cancelled without asking.
  func isAway(_ flow: String) -> Bool

  /// Returns whether a flow may start another as its child.
  ///
  /// - Parameters:
  ///   - child: the name of the flow to start.
  ///   - flow: the name of the flow that starts it.
  /// - Returns: whether it may.
  func mayStart(_ child: String, asChildOf flow: String) -> Bool

  /// Returns what the screens of a flow say about the program that they come from.
  ///
  /// - Parameter server: the well-known name of the program; "" for a connection without one.
  /// - Returns: whose screens they are; nil to say nothing.
  func origin(_ server: String) -> ScreenOrigin?

  /// Asks what comes of an event.
  ///
  /// - Parameters:
  ///   - question: the question. One tree asks one question at a time.
  ///   - server: the program that has decided so far; nil if none has. No other may be asked: one of another name must not
  ///     see what it has stored, and one of another version can only migrate it.
  ///   - history: what has come so far of asking about the event.
  ///   - time: how long the answer may take. If the task is cancelled, the answer is of no use any more.
  /// - Returns: the answer, which has been checked as far as it can be without the tree, and the history, which says who was
  ///   asked last, and so who has given the answer.
  func decide(
    _ question: FlowQuestion, as server: ServingProgram?, after history: AskingHistory, within time: Duration
  ) async -> (answer: FlowAnswer, history: AskingHistory)

  /// Records a trouble that has no other consequence, because the coordinator goes on as it is. The default does nothing.
  ///
  /// - Parameters:
  ///   - trouble: why there is no answer.
  ///   - path: the coordinator.
  func note(_ trouble: ProviderTrouble, of path: CoordinatorPath)

  /// Performs a piece of work, and waits for its end.
  ///
  /// - Parameters:
  ///   - work: the work.
  ///   - instance: the coordinator that ordered it.
  ///   - server: the well-known name of the program that has decided to order it; no other learns of it.
  ///   - context: provides the secrets, and reports progress.
  /// - Returns: the result, which only the provider understands.
  /// - Throws: ``ProvidedWork/Trouble`` if the work failed; ``ProvidedWork/Interrupted`` if it cannot be performed again;
  ///   `CancellationError` if it was cancelled.
  func perform(
    _ work: ProvidedWork, of instance: FlowInstance, by server: String, in context: SharedWorkContext
  ) async throws -> String
}

extension FlowProvider {
  package func isAway(_ flow: String) -> Bool { false }
  package func mayStart(_ child: String, asChildOf flow: String) -> Bool { true }
  package func origin(_ server: String) -> ScreenOrigin? { nil }
  package func note(_ trouble: ProviderTrouble, of path: CoordinatorPath) {}
}

/// A program that serves a flow.
package struct ServingProgram: Sendable, Hashable {
  /// Its well-known name; "" for a connection without one.
  package var name: String
  /// The version of its state.
  package var version: UInt32
  /// Changes with the program, as far as that is known; a program that was changed may be asked again what the old one
  /// could not answer.
  package var digest: String

  /// Creates a program.
  package init(name: String, version: UInt32, digest: String = "") {
    (self.name, self.version, self.digest) = (name, version, digest)
  }
}

/// One coordinator of a provided flow; never used again for another.
package struct FlowInstance: Sendable, Hashable {
  /// The name of the flow.
  package let flow: String
  /// The path of the coordinator.
  package let path: CoordinatorPath
  /// When it was started, in microseconds since 1970.
  package let startedAt: UInt64

  /// Creates an instance.
  package init(flow: String, path: CoordinatorPath, startedAt: UInt64) {
    self.flow = flow
    self.path = path
    self.startedAt = startedAt
  }

  /// Creates an instance from its name.
  ///
  /// - Parameters:
  ///   - name: what ``name`` is of an instance.
  ///   - flow: returns the flow of a coordinator; nil if there is no such coordinator.
  package init?(name: String, flow: (CoordinatorPath) -> String?) {
    guard let separator = name.utf8.lastIndex(of: UInt8(ascii: "@")),
      let startedAt = UInt64(name[name.utf8.index(after: separator)...]),
      case let path = CoordinatorPath(text: String(name[..<separator])), let flow = flow(path)
    else { return nil }
    self.init(flow: flow, path: path, startedAt: startedAt)
  }

  /// Names the instance, as `/flow_1/child_2@1700000000000000`.
  package var name: String { "\(path)@\(startedAt)" }
}

/// What a provider answers to a question.
package enum FlowAnswer: Sendable {
  case decided(FlowDecision)
  /// The caller is refused; nothing changes.
  case refused(Refusal)
  /// The coordinator leaves the event to its parent.
  case notTaken
  /// The coordinator fails.
  case failed(Failure)
  /// There is no answer that could be used. This is the fault of the provider, and costs nobody the flow.
  case trouble(ProviderTrouble)
}

/// Why a provider has not answered a question.
public enum ProviderTrouble: Error, Sendable, Hashable, CustomStringConvertible {
  /// The provider is not running, and cannot be started.
  case gone(String)
  /// The provider has not answered in time.
  case timeout(String)
  /// The provider has given an answer that cannot be used, or died over the question.
  case failed(String)

  /// What is wrong, for people.
  public var description: String {
    switch self {
    case .gone(let reason), .timeout(let reason), .failed(let reason): reason
    }
  }
}
