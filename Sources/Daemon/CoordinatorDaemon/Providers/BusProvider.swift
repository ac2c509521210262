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
  private let lanes: ProviderLanes
  /// The connections that are deciding, by the root of the tree that waits for them.
  private let asked = Lock<[Substring: String]>([:])

  init(connection: Connection, isSystem: Bool, startTime: Duration) {
    self.connection = connection
    self.isSystem = isSystem
    self.startTime = startTime
    let waits = TimedWaits(loop: connection.loop)
    (arrivals, lanes, work) = (Arrivals(waits: waits), ProviderLanes(waits: waits), WorkDesk(waits: waits))
  }

  /// Reads or changes who serves what.
  func withTable<Result: Sendable>(_ body: (inout ProviderTable) throws -> Result) rethrows -> Result {
    try table.withLock(body)
  }

  func screen(from description: JSONValue) throws -> Screen { try AnswerDecoder.screen(from: description) }

  func decide(
    _ question: FlowQuestion, as known: ServingProgram?, within time: Duration
  ) async -> (answer: FlowAnswer, server: ServingProgram?) {
    var asking = Asking(question, until: .now + time)
    while true {
      let served: ServedFlow
      do { served = try await serving(asking) } catch { return (.trouble(error), nil) }
      if let known, let reason = question.reasonNotToAsk(served.program, after: known) {
        return (.trouble(.gone(reason)), nil)
      }
      guard
        let place = await lanes.enter(
          served.key, width: served.concurrency, isAlone: asking.isSuspect, until: asking.end)
      else { return (.trouble(.timeout("\(served.title) has too much to decide, and came not to this in time")), nil) }
      let time = asking.begin(at: .now, of: served)
      let reply = await ask(served, asking, within: time)
      lanes.leave(place)
      withTable { $0.absences.note(reply.isAnswer, from: served.key, at: .now) }
      if let answer = asking.take(reply, of: served) { return (limited(answer, question, served), served.program) }
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

  // MARK: Work

  /// How many pieces of work one connection performs at once.
  private static var maxWork: Int { 1024 }

  func perform(
    _ work: ProvidedWork, of instance: FlowInstance, by server: String, in context: SharedWorkContext
  ) async throws -> String {
    let claim = self.work.add(work.id, of: instance, context)
    defer { self.work.remove(claim) }
    var attempt = context.attempts?.begun ?? 0
    var dead: String?
    while true {
      let (served, owner) = try await serving(instance.flow, named: server, except: dead)
      attempt += 1
      if let attempts = context.attempts, await !attempts.mayBegin(attempt) {
        attempt -= 1
        try await context.sleep(for: .seconds(1))
        continue
      }
      try Task.checkCancellation()
      guard self.work.count(of: owner) < Self.maxWork else {
        throw ProvidedWork.Trouble(
          type: "LimitsExceeded", message: "\(served.title) performs \(Self.maxWork) pieces of work already")
      }
      self.work.assign(claim, to: owner, as: server)
      // The result may have come while nobody was asked to begin.
      if self.work.isStored(claim) { return "" }
      if try await begin(claim, Self.arguments(work, instance, attempt, context), at: served) {
        switch await self.work.end(of: claim) {
        // The tree has the result, and tells the coordinator.
        case .stored: return ""
        case .left: break
        case .cancelled:
          cancel(claim, at: served)
          throw CancellationError()
        }
      }
      // It may have begun before it left, and its secrets are not given away twice.
      guard context.secrets.isEmpty else { throw ProvidedWork.Interrupted() }
      dead = owner
    }
  }

  /// Asks a provider to begin.
  ///
  /// - Returns: whether it has accepted; false if it has left the bus.
  private func begin(_ claim: WorkDesk.Claim, _ arguments: [Value], at served: ServedFlow) async throws -> Bool {
    do {
      _ = try await connection.call(served.call("Perform", arguments))
      return true
    } catch let error as DBusError where error.isDeath {
      return false
    } catch is CancellationError {
      cancel(claim, at: served)
      throw CancellationError()
    } catch {
      // It may have begun all the same.
      cancel(claim, at: served)
      throw ProvidedWork.Trouble(type: "NotAccepted", message: "\(error)")
    }
  }

  private func cancel(_ claim: WorkDesk.Claim, at served: ServedFlow) {
    tell(served, "CancelWork", [.string(claim.ticket.instance), .string(claim.ticket.work)])
  }

  /// Returns who serves a flow under a name, and its connection. Waits for as long as nothing does, as after a restart.
  private func serving(
    _ flow: String, named name: String, except dead: String?
  ) async throws(CancellationError) -> (ServedFlow, owner: String) {
    while true {
      let find = { [self] () -> (ServedFlow, owner: String)? in
        guard let served = withTable({ $0.provider(of: flow) }), served.name == name, let owner = served.owner, owner != dead
        else { return nil }
        return (served, owner)
      }
      if let found = find() { return found }
      let isActivated = withTable { $0.provider(of: flow).map { $0.name == name && $0.mayBeActivated } ?? false }
      if isActivated, let started = try? await serving(flow, except: dead, until: .now + startTime), started.name == name,
        let owner = started.owner
      {
        return (started, owner)
      }
      let end = isActivated ? ContinuousClock.now + .seconds(60) : nil
      guard await arrivals.wait(for: flow, until: end, unless: { find() != nil }) || !Task.isCancelled else {
        throw CancellationError()
      }
    }
  }

  /// Calls a method that has no results.
  func tell(_ served: ServedFlow, _ member: String, _ arguments: [Value]) {
    let call = served.call(member, arguments)
    connection.loop.post { [connection] in connection.assumeIsolated { try? $0.send(call) } }
  }

  private static func arguments(
    _ work: ProvidedWork, _ instance: FlowInstance, _ attempt: UInt32, _ context: SharedWorkContext
  ) -> [Value] {
    let secrets = context.secrets.sorted { $0.key < $1.key }.map { name, secret in
      DictionaryEntry(key: .string(name), value: secret.withString { Value.string($0) })
    }
    return [
      .string(instance.flow), .string(instance.name), .string(work.id), .uint32(attempt), .string(work.argument),
      .dictionary(key: .string, value: .string, secrets),
    ]
  }
}

extension ServedFlow {
  /// Returns a call of the provider's object.
  fileprivate func call(_ member: String, _ arguments: [Value]) -> MethodCall {
    MethodCall(
      destination: owner ?? name, path: path, interface: Contract.flowProviderInterface, member: member, arguments: arguments,
      autoStart: false)
  }
}
