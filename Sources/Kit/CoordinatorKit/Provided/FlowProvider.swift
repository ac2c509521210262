import Platform

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

/// The flows that other processes serve. Changes while the daemon runs; may be used from any thread.
package final class ProvidedFlows: Sendable {
  private struct State: Sendable {
    var flows: [String: FlowDefinition] = [:]
    /// Flows of stored coordinators that nobody serves at the moment.
    var absent: [String: FlowDefinition] = [:]
    /// The flows of which nothing is known but that they are provided.
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
  ///   - schemas: what it returns and emits.
  ///   - checksInput: false if the schema of its input is not known.
  ///   - wantsLooking: whether its coordinators are told who looks at their screens.
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

  /// Whether there are, or were, any.
  package var isUsed: Bool { state.withLock { $0.generation > 0 || !$0.absent.isEmpty } }

  /// The flows that can be started.
  var definitions: [FlowDefinition] { state.withLock { Array($0.flows.values) } }

  /// Returns a flow, also one that only stored coordinators have.
  subscript(name: String) -> FlowDefinition? { state.withLock { $0.flows[name] ?? $0.absent[name] } }

  /// How often a flow has been added; then, its version may be another.
  var generation: UInt64 { state.withLock { $0.generation } }

  /// Returns which program serves a flow; nil if nothing does.
  func server(of flow: String) -> ServingProgram? { provider.server(of: flow) }

  /// Returns whether a flow was not served since the start, so that it cannot be started: its router is not known.
  func isStandIn(_ name: String) -> Bool { state.withLock { $0.standIns.contains(name) } }

  /// Returns a stand-in for the flow of a stored coordinator that nobody serves.
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

/// What has come so far of asking about one event that nobody waits for, or of having one piece of work performed: who was
/// asked last, and how often that has failed (P12).
///
/// It goes from try to try, because nobody can be asked who a program was once it is dead, and a new process of the same
/// program is no reason to try again. A value that decides.
package struct AskingHistory: Sendable, Hashable {
  /// After how many failures over one event its provider is not asked by itself any more.
  static let maxFailures = 3

  /// The coordinator that was to decide; nil as long as none was.
  private(set) var instance: FlowInstance?
  /// The program that was asked last; nil if none was.
  package private(set) var program: ServingProgram?
  /// Whether a program has died over the event. From then on, nothing else is asked at the same time, so that it is known
  /// whose fault the next death is.
  package private(set) var isSuspect = false
  /// How often the present program has failed over the event: deaths while it was asked nothing else, time-outs, and
  /// answers that cannot be used.
  private var failures = 0
  /// Whether it was asked, and how that ended has not been counted.
  private var isOpen = false

  /// Creates the history of an event that nobody was asked about.
  package init() {}

  /// Creates the history of an event that a program cannot be asked about, because it is too old.
  init(of instance: FlowInstance, by program: ServingProgram) { (self.instance, self.program) = (instance, program) }

  /// Whether it has failed so often that it is not asked by itself any more.
  var isExhausted: Bool { failures >= Self.maxFailures }

  /// Returns whether to ask by itself: not a program that has failed too often, as long as it is not changed.
  func allowsAsking(_ server: ServingProgram?) -> Bool {
    guard isExhausted, let program else { return true }
    return server.map { $0.isAnother(than: program) } ?? false
  }

  /// Records that a provider is to decide for a coordinator. What has come of asking for another one does not count.
  mutating func begin(for decider: FlowInstance) {
    if instance != decider { self = AskingHistory() }
    instance = decider
    isOpen = false
  }

  /// Records that a program is asked. One that was changed has not failed before.
  package mutating func ask(_ asked: ServingProgram) {
    if let program, asked.isAnother(than: program) { failures = 0 }
    // The digest of a program that has not registered yet is not known.
    let digest = asked.digest.isEmpty ? program?.digest ?? "" : asked.digest
    program = ServingProgram(name: asked.name, version: asked.version, digest: digest)
    isOpen = true
  }

  /// Records that the program had left before it was asked.
  package mutating func wasNotAsked() { isOpen = false }

  /// Records that the program has died instead of answering.
  ///
  /// - Returns: whether it is to be asked again. If not, the death has not been counted: ``failed()`` does that.
  package mutating func dies() -> Bool {
    guard failures + 1 < Self.maxFailures || !isSuspect else { return false }
    if isSuspect { failures += 1 }
    (isSuspect, isOpen) = (true, false)
    return true
  }

  /// Returns the history with a failure more, if the program was asked: what only waited for its turn has not failed.
  func failed() -> AskingHistory {
    var history = self
    if isOpen { (history.failures, history.isOpen) = (failures + 1, false) }
    return history
  }

  /// Returns the history without failures, because somebody wants the event to be tried again. What has killed a program
  /// remains suspect.
  func renewed() -> AskingHistory {
    var history = self
    history.failures = 0
    return history
  }
}

extension ServingProgram {
  /// Returns whether this is another program than one that could not go on, as far as that is known: neither a new process
  /// of it, nor one that has not said yet which it is.
  func isAnother(than old: ServingProgram) -> Bool {
    version != old.version || (!digest.isEmpty && !old.digest.isEmpty && digest != old.digest)
  }
}
