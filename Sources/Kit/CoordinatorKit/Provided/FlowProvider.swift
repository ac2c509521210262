/// Decides for the coordinators of flows that are served by another process.
///
/// A provider decides, and has no effects: it may be asked the same question twice, and its answer may be dropped.
package protocol FlowProvider: Sendable {
  /// Returns the well-known name under which a flow is served.
  ///
  /// - Parameter flow: the name of the flow.
  /// - Returns: the name; "" for a connection without one; nil if nothing serves the flow.
  func server(of flow: String) -> String?

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
  /// - Returns: whose screens they are.
  func origin(_ server: String) -> ScreenOrigin

  /// Asks what comes of an event.
  ///
  /// - Parameter question: the question. One coordinator asks one question at a time.
  /// - Returns: the answer, which has been checked as far as it can be without the tree.
  func decide(_ question: FlowQuestion) async -> FlowAnswer

  /// Performs a piece of work, and waits for its end.
  ///
  /// - Parameters:
  ///   - work: the work.
  ///   - instance: the coordinator that ordered it.
  ///   - context: provides the secrets, and reports progress.
  /// - Returns: the result, which only the provider understands.
  /// - Throws: ``ProvidedWork/Trouble`` if the work failed; `CancellationError` if it was cancelled.
  func perform(_ work: ProvidedWork, of instance: FlowInstance, in context: SharedWorkContext) async throws -> String

  /// Reads a screen that a provider has described.
  ///
  /// - Parameter description: the screen as an object of the contract.
  /// - Returns: the screen.
  /// - Throws: an error that describes what is wrong.
  func screen(from description: JSONValue) throws -> Screen
}

/// One coordinator of a provided flow; never used again for another.
package struct FlowInstance: Sendable, Hashable {
  /// The name of the flow.
  package let flow: String
  /// The path of the coordinator.
  package let path: CoordinatorPath
  /// When it was started, in microseconds since 1970.
  package let startedAt: UInt64

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
