import Platform

/// Makes decisions for the coordinators of flows that another process serves.
///
/// A provider makes decisions without side effects: it may receive the same question twice, and its answer may be dropped.
package protocol FlowProvider: Sendable {
  /// Returns which program serves a flow.
  ///
  /// - Parameter flow: the name of the flow.
  /// - Returns: the program; nil if no program serves the flow.
  func server(of flow: String) -> ServingProgram?

  /// Returns whether no program has served a flow for some time.
  ///
  /// - Parameter flow: the name of the flow.
  /// - Returns: whether the provider has been away for so long that the flow's coordinators may be cancelled without asking it.
  func isAway(_ flow: String) -> Bool

  /// Returns whether a flow may start another as its child.
  ///
  /// - Parameters:
  ///   - child: the name of the flow to start.
  ///   - flow: the name of the flow that starts it.
  /// - Returns: whether it may.
  func mayStart(_ child: String, asChildOf flow: String) -> Bool

  /// Returns the description of a program for the screens of its flows.
  ///
  /// - Parameter server: the well-known name of the program; "" for a connection without one.
  /// - Returns: the origin of the screens; nil for none.
  func origin(_ server: String) -> ScreenOrigin?

  /// Asks the provider for its decision on an event.
  ///
  /// - Parameters:
  ///   - question: the question. One tree asks one question at a time.
  ///   - server: the program that has made the decisions so far; nil if there is none. Only this program may be asked: one of
  ///     another name must not see the stored state, and one of another version can only migrate it.
  ///   - history: the previous attempts to ask about the event.
  ///   - time: the maximum time for the answer. If the task is cancelled, the answer is no longer needed.
  /// - Returns: the answer, which has been checked as far as possible without the tree, and the history, which contains the
  ///   program that was asked last and therefore gave the answer.
  func decide(
    _ question: FlowQuestion, as server: ServingProgram?, after history: AskingHistory, within time: Duration
  ) async -> (answer: FlowAnswer, history: AskingHistory)

  /// Records a trouble that has no other consequence, because the coordinator continues unchanged. The default does nothing.
  ///
  /// - Parameters:
  ///   - trouble: why there is no answer.
  ///   - path: the coordinator.
  func note(_ trouble: ProviderTrouble, of path: CoordinatorPath)

  /// Performs a piece of work, and returns when it has ended.
  ///
  /// - Parameters:
  ///   - work: the work.
  ///   - instance: the coordinator that ordered it.
  ///   - server: the well-known name of the program that decided to order the work; no other program receives it.
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
  /// Identifies the build of the program, as far as known. A changed program may be asked again about an event that the
  /// old one could not answer.
  package var digest: String

  /// Creates a program.
  package init(name: String, version: UInt32, digest: String = "") {
    (self.name, self.version, self.digest) = (name, version, digest)
  }
}

/// One coordinator of a provided flow. An instance is never reused for another coordinator.
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
  ///   - name: the ``name`` of an instance.
  ///   - flow: returns the flow of a coordinator; nil if there is no such coordinator.
  package init?(name: String, flow: (CoordinatorPath) -> String?) {
    guard let separator = name.utf8.lastIndex(of: UInt8(ascii: "@")),
      let startedAt = UInt64(name[name.utf8.index(after: separator)...]),
      case let path = CoordinatorPath(text: String(name[..<separator])), let flow = flow(path)
    else { return nil }
    self.init(flow: flow, path: path, startedAt: startedAt)
  }

  /// The name of the instance: `/flow_1/child_2@1700000000000000`.
  package var name: String { "\(path)@\(startedAt)" }
}

/// A provider's answer to a question.
package enum FlowAnswer: Sendable {
  case decided(FlowDecision)
  /// The caller is refused; nothing changes.
  case refused(Refusal)
  /// The coordinator leaves the event to its parent.
  case notTaken
  /// The coordinator fails.
  case failed(Failure)
  /// There is no usable answer. This is the provider's fault, and does not end the flow.
  case trouble(ProviderTrouble)
}

/// Why a provider did not answer a question.
public enum ProviderTrouble: Error, Sendable, Hashable, CustomStringConvertible {
  /// The provider is not running, and cannot be started.
  case gone(String)
  /// The provider did not answer in time.
  case timeout(String)
  /// The provider gave an unusable answer, or died while it handled the question.
  case failed(String)

  /// The problem, for users.
  public var description: String {
    switch self {
    case .gone(let reason), .timeout(let reason), .failed(let reason): reason
    }
  }
}

/// The flows that other processes serve. Changes while the daemon runs; may be used from any thread.
package final class ProvidedFlows: Sendable {
  private struct State: Sendable {
    var flows: [String: FlowDefinition] = [:]
    /// Flows of stored coordinators that are currently not served.
    var absent: [String: FlowDefinition] = [:]
    /// The flows that are only known to be provided.
    var standIns: Set<String> = []
    var generation: UInt64 = 0
  }

  private let state = Lock(State())
  private let provider: any FlowProvider

  /// Creates an empty list.
  ///
  /// - Parameter provider: decides for the coordinators of all these flows.
  package init(provider: any FlowProvider) { self.provider = provider }

  /// Adds a flow, or replaces its description.
  ///
  /// - Parameters:
  ///   - description: the flow. Its version is that of the stored form, and always 1.
  ///   - schemas: the schemas of the results and outputs of the flow.
  ///   - checksInput: false if the schema of its input is unknown.
  ///   - wantsLooking: whether its coordinators are notified when a user starts or stops viewing their screens.
  package func add(
    _ description: FlowDescription, schemas: FlowSchemas, checksInput: Bool = true, wantsLooking: Bool = false
  ) {
    let definition = FlowDefinition(
      provided: description, schemas: schemas, by: provider, wantsLooking: wantsLooking, checksInput: checksInput)
    state.withLock { state in
      state.flows[description.name] = definition
      state.absent[description.name] = nil
      state.standIns.remove(description.name)
      state.generation += 1
    }
  }

  /// Removes a flow. Its coordinators remain, and wait until the flow is served again.
  ///
  /// - Parameters:
  ///   - name: the name of the flow.
  ///   - isUsed: whether it has live coordinators.
  package func remove(_ name: String, isUsed: Bool) {
    state.withLock { state in
      if let definition = state.flows.removeValue(forKey: name), isUsed { state.absent[name] = definition }
    }
  }

  /// Whether the list contains flows, or ever contained any.
  package var isUsed: Bool { state.withLock { $0.generation > 0 || !$0.absent.isEmpty } }

  /// The flows that can be started.
  var definitions: [FlowDefinition] { state.withLock { Array($0.flows.values) } }

  /// Returns a flow, even if only stored coordinators have it.
  subscript(name: String) -> FlowDefinition? { state.withLock { $0.flows[name] ?? $0.absent[name] } }

  /// The number of times that a flow has been added; each time, its version may change.
  var generation: UInt64 { state.withLock { $0.generation } }

  /// Returns the program that serves a flow; nil if there is none.
  func server(of flow: String) -> ServingProgram? { provider.server(of: flow) }

  /// Returns whether a flow has not been served since the start, so that it cannot be started: its router is unknown.
  package func isStandIn(_ name: String) -> Bool { state.withLock { $0.standIns.contains(name) } }

  /// Returns a stand-in for the flow of a stored coordinator that is not served.
  func standIn(for stored: StoredCoordinator) -> FlowDefinition? {
    if let known = self[stored.flow] { return known }
    guard let marked = try? StoredText.decode(ProvidedCoordinator.State.self, from: stored.state), marked.isProvided else {
      return nil
    }
    let description = FlowDescription(
      stored.flow, title: Text(verbatim: stored.flow), canBeLeft: marked.canBeLeft)
    let definition = FlowDefinition(
      provided: description, schemas: FlowSchemas(result: nil, output: nil), by: provider, checksInput: false)
    return state.withLock { state in
      if state.flows[stored.flow] == nil && state.absent[stored.flow] == nil { state.standIns.insert(stored.flow) }
      state.absent[stored.flow] = state.absent[stored.flow] ?? definition
      return state.flows[stored.flow] ?? state.absent[stored.flow]
    }
  }
}

/// The attempts to ask about one event for which no caller waits, or to have one piece of work performed: which program was
/// asked last, and how often it failed (P12).
///
/// The history passes from attempt to attempt, because the identity of a program is unknown once it is dead, and a new process
/// of the same program is no reason to retry. A value that makes decisions.
package struct AskingHistory: Sendable, Hashable {
  /// The number of failures over one event after which its provider is no longer asked automatically.
  static let maxFailures = 3

  /// The coordinator that was asked to decide; nil if none was.
  private(set) var instance: FlowInstance?
  /// The program that was asked last; nil if none was.
  package private(set) var program: ServingProgram?
  /// Whether a program has died while it handled the event. From then on, it is asked nothing else at the same time, so that
  /// the cause of its next death is known.
  package private(set) var isSuspect = false
  /// The number of failures of the present program over the event: deaths while it handled only this event, time-outs, and
  /// unusable answers.
  private var failures = 0
  /// Whether the program was asked, and the result has not been counted.
  private var isOpen = false

  /// Creates the history of an event about which no program was asked.
  package init() {}

  /// Creates the history of an event that a program cannot be asked about, because it is too old.
  init(of instance: FlowInstance, by program: ServingProgram) { (self.instance, self.program) = (instance, program) }

  /// Whether the program has failed so often that it is no longer asked automatically.
  var isExhausted: Bool { failures >= Self.maxFailures }

  /// Returns whether to ask automatically: false for a program that has failed too often, until it changes.
  func allowsAsking(_ server: ServingProgram?) -> Bool {
    guard isExhausted, let program else { return true }
    return server.map { $0.isAnother(than: program) } ?? false
  }

  /// Records that a provider will decide for a coordinator. Attempts to ask for another coordinator do not count.
  mutating func begin(for decider: FlowInstance) {
    if instance != decider { self = AskingHistory() }
    instance = decider
    isOpen = false
  }

  /// Records that a program is asked. A changed program has no failures.
  package mutating func ask(_ asked: ServingProgram) {
    if let program, asked.isAnother(than: program) { failures = 0 }
    // The digest of a program that has not registered yet is unknown.
    let digest = asked.digest.isEmpty ? program?.digest ?? "" : asked.digest
    program = ServingProgram(name: asked.name, version: asked.version, digest: digest)
    isOpen = true
  }

  /// Records that the program had left before it was asked.
  package mutating func wasNotAsked() { isOpen = false }

  /// Records that the program has died instead of answering.
  ///
  /// - Returns: whether to ask the program again. If not, the death has not been counted: ``failed()`` counts it.
  package mutating func dies() -> Bool {
    guard failures + 1 < Self.maxFailures || !isSuspect else { return false }
    if isSuspect { failures += 1 }
    (isSuspect, isOpen) = (true, false)
    return true
  }

  /// Returns the history with an additional failure, if the program was asked: a question in the queue has not failed.
  func failed() -> AskingHistory {
    var history = self
    if isOpen { (history.failures, history.isOpen) = (failures + 1, false) }
    return history
  }

  /// Returns the history without failures, because a client retries the event. The event remains suspect if it has killed a
  /// program.
  func renewed() -> AskingHistory {
    var history = self
    history.failures = 0
    return history
  }
}

extension ServingProgram {
  /// Returns whether this program differs from one that could not continue, as far as that is known: false for a new process of
  /// the same program, and for a process that has not identified itself yet.
  func isAnother(than old: ServingProgram) -> Bool {
    version != old.version || (!digest.isEmpty && !old.digest.isEmpty && digest != old.digest)
  }
}
