import CoordinatorBus
import CoordinatorKit
import DBus
import Platform

/// Asks the providers of flows on the bus. May be used from any thread.
final class BusProvider: FlowProvider {
  private let table = Lock(ProviderTable())
  private let ledger = Lock(StateLedger())
  let connection: Connection
  let work: WorkDesk
  let arrivals: Arrivals
  /// Whether only trusted users may serve.
  let isSystem: Bool
  /// How long a provider that is started may take until it owns its name.
  let startTime: Duration
  /// What is asked, and what is begun.
  let lanes: ProviderLanes
  /// The work that is suspected of killing its provider, one piece at a time.
  let trials: ProviderLanes
  let log: FlowLog
  /// The connections that are deciding, by the root of the tree that waits for them.
  private let asked = Lock<[Substring: String]>([:])

  init(connection: Connection, isSystem: Bool, startTime: Duration, log: FlowLog) {
    self.log = log
    self.connection = connection
    self.isSystem = isSystem
    self.startTime = startTime
    let waits = TimedWaits(loop: connection.loop)
    (arrivals, work) = (Arrivals(waits: waits), WorkDesk(waits: waits))
    (lanes, trials) = (ProviderLanes(waits: waits), ProviderLanes(waits: waits))
  }

  /// Reads or changes who serves what.
  func withTable<Result: Sendable>(_ body: (inout ProviderTable) throws -> Result) rethrows -> Result {
    try table.withLock(body)
  }

  func decide(
    _ question: FlowQuestion, as known: ServingProgram?, after history: AskingHistory, within time: Duration
  ) async -> (answer: FlowAnswer, history: AskingHistory) {
    var asking = Asking(question, after: history, until: .now + time)
    while true {
      let served: ServedFlow
      do { served = try await serving(asking) } catch { return (.trouble(error), asking.history) }
      if let known, let reason = question.reasonNotToAsk(served.program, after: known) {
        return (.trouble(.gone(reason)), asking.history)
      }
      guard
        let place = await lanes.enter(
          served.key, width: served.concurrency, isAlone: asking.history.isSuspect, until: asking.end)
      else {
        let reason = "\(served.title) has too much to decide, and came not to this in time"
        return (.trouble(.timeout(reason)), asking.history)
      }
      let time = asking.begin(at: .now, of: served)
      let reply = await ask(served, asking, within: time)
      lanes.leave(place)
      withTable { $0.absences.note(reply.isAnswer, from: served.key, at: .now) }
      let answer = asking.take(reply, of: served) { [log] in
        log.logUnknown($0, by: served.title, of: question.instance.flow)
      }
      if let answer { return (limited(answer, question, served), asking.history) }
    }
  }

  /// Records what providers have stored of coordinators.
  func note(_ state: TreeState, at paths: some Sequence<CoordinatorPath>) {
    ledger.withLock { ledger in for path in paths { ledger.set(state.coordinators[path], at: path) } }
  }

  /// Refuses a decision that would store more than a provider may have.
  private func limited(_ answer: FlowAnswer, _ question: FlowQuestion, _ served: ServedFlow) -> FlowAnswer {
    guard case .decided(let decision) = answer,
      !ledger.withLock({ $0.take(decision.storedSize, of: question.instance.path, by: served.name) })
    else { return answer }
    return .refused(.limitExceeded("the flows of \(served.title) store too much together"))
  }

  private func ask(_ served: ServedFlow, _ asking: Asking, within time: Duration?) async -> Asking.Reply {
    let question = asking.question
    guard let time else { return .failure(ConnectionError.timedOut) }
    asked.withLock { $0[question.instance.path.root] = served.owner }
    defer { _ = asked.withLock { $0.removeValue(forKey: question.instance.path.root) } }
    do {
      let call = served.call("Decide", try question.arguments(deadline: asking.told ?? time))
      return .success(try await connection.call(call, deadline: time))
    } catch {
      return .failure(error)
    }
  }

  /// Returns who serves the flow of a question. Starts it if the bus can; otherwise waits a moment if a well-known name
  /// has just lost its owner: whoever keeps the program running starts it again.
  private func serving(_ asking: Asking) async throws(ProviderTrouble) -> ServedFlow {
    let flow = asking.question.instance.flow
    while true {
      let (found, leaves) = withTable { ($0.provider(of: flow), $0.timeOfReturn(of: flow, dead: asking.dead)) }
      if let found, let owner = found.owner, owner != asking.dead { return found }
      if found?.mayBeActivated == true { return try await serving(flow, except: asking.dead, until: asking.end) }
      guard let leaves, leaves > .now, asking.end > .now else { throw .gone(asking.whyGone) }
      let isResumed = await arrivals.wait(for: flow, until: min(leaves, asking.end)) {
        withTable { $0.provider(of: flow).map { $0.owner != nil && $0.owner != asking.dead } ?? false }
      }
      guard isResumed else { throw .gone(asking.whyGone) }
    }
  }

  /// Whether a call of a connection into a tree would have to wait for an answer of the same connection.
  func wouldWait(_ sender: String, for tree: TreeState) -> Bool {
    if asked.withLock({ $0[tree.root.root] == sender }) { return true }
    guard lanes.isAnyFull else { return false }
    return tree.coordinators.values.contains { coordinator in
      guard let served = withTable({ $0.provider(of: coordinator.flow) }), served.owner == sender else { return false }
      return lanes.isFull(served.key)
    }
  }

  func server(of flow: String) -> ServingProgram? {
    withTable { $0.provider(of: flow).flatMap { $0.owner == nil && !$0.mayBeActivated ? nil : $0.program } }
  }

  func mayStart(_ child: String, asChildOf flow: String) -> Bool {
    withTable { $0.mayStart(child, asChildOf: flow, isSystem: isSystem) }
  }

  func origin(_ server: String) -> ScreenOrigin? {
    ScreenOrigin(name: server, title: withTable { $0.files.file(of: server)?.title })
  }

  func isAway(_ flow: String) -> Bool { withTable { $0.isAway(flow, at: .now) } }

  func note(_ trouble: ProviderTrouble, of path: CoordinatorPath) { log.logTrouble(trouble, at: path) }
}

extension ServedFlow {
  /// Returns a call of the provider's object.
  func call(_ member: String, _ arguments: [Value]) -> MethodCall {
    MethodCall(
      destination: owner ?? name, path: path, interface: Contract.flowProviderInterface, member: member, arguments: arguments,
      autoStart: false)
  }
}
