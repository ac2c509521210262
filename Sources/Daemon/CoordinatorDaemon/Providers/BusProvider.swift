import CoordinatorBus
import CoordinatorKit
import DBus
import Platform

/// Asks the providers of flows on the bus. May be used from any thread.
final class BusProvider: FlowProvider {
  private let table = Lock(ProviderTable())
  private let connection: Connection
  let work: WorkDesk
  let arrivals: Arrivals
  private let lanes: ProviderLanes
  /// The connections that are deciding, by the root of the tree that waits for them.
  private let asked = Lock<[Substring: String]>([:])

  init(connection: Connection) {
    self.connection = connection
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
      guard let (registration, flow) = await served(question.instance.flow, except: asking.dead, until: asking.end) else {
        return (.trouble(.gone(asking.whyGone)), nil)
      }
      let server = ServingProgram(name: registration.name, version: flow.version, digest: registration.digest)
      if let known, let reason = question.reasonNotToAsk(server, after: known) { return (.trouble(.gone(reason)), nil) }
      guard
        let place = await lanes.enter(
          registration.title, width: registration.concurrency, isAlone: asking.isSuspect, until: asking.end)
      else { return (.trouble(.timeout("\(registration.title) has too much to decide, and came not to this in time")), nil) }
      let reply = await ask(registration, flow, asking)
      lanes.leave(place)
      withTable { $0.note(reply.isAnswer, from: registration.owner, at: .now) }
      if let answer = asking.take(reply, of: registration) { return (answer, server) }
    }
  }

  private func ask(_ registration: FlowRegistration, _ flow: RegisteredFlow, _ asking: Asking) async -> Asking.Reply {
    let question = asking.question
    let time = min(flow.deadline, ContinuousClock.now.duration(to: asking.end))
    guard time > .zero else { return .failure(ConnectionError.timedOut) }
    asked.withLock { $0[question.instance.path.root] = registration.owner }
    defer { _ = asked.withLock { $0.removeValue(forKey: question.instance.path.root) } }
    do {
      let call = registration.call("Decide", try question.arguments(deadline: time))
      return .success(try await connection.call(call, deadline: time))
    } catch {
      return .failure(error)
    }
  }

  /// Returns who serves a flow. Waits a moment if a well-known name has just lost its owner: whoever keeps the program
  /// running starts it again.
  ///
  /// - Parameters:
  ///   - flow: the flow.
  ///   - dead: a connection that has left the bus, although that has not been told yet.
  ///   - end: when to give up.
  /// - Returns: the provider and its flow; nil if nothing serves it in time.
  private func served(
    _ flow: String, except dead: String?, until end: ContinuousClock.Instant
  ) async -> (FlowRegistration, RegisteredFlow)? {
    while true {
      let (found, leaves) = withTable { table in
        let found = table.provider(of: flow).flatMap { $0.0.owner == dead ? nil : $0 }
        return (found, table.timeOfReturn(of: flow, dead: dead))
      }
      if let found { return found }
      guard let leaves, leaves > .now, end > .now else { return nil }
      let isResumed = await arrivals.wait(for: flow, until: min(leaves, end)) {
        withTable { $0.provider(of: flow).map { $0.0.owner != dead } ?? false }
      }
      guard isResumed else { return nil }
    }
  }

  /// Whether a call of a connection into a tree would have to wait for an answer of the same connection.
  func wouldWait(_ sender: String, for tree: TreeState) -> Bool {
    guard let registration = withTable({ $0.registration(of: sender) }) else { return false }
    if asked.withLock({ $0[tree.root.root] == sender }) { return true }
    guard lanes.isFull(registration.title) else { return false }
    let flows = Set(registration.flows.map(\.description.name))
    return tree.coordinators.values.contains { flows.contains($0.flow) }
  }

  func server(of flow: String) -> ServingProgram? {
    withTable { table in
      table.provider(of: flow).map { ServingProgram(name: $0.0.name, version: $0.1.version, digest: $0.0.digest) }
    }
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
    var attempt: UInt32 = 0
    var dead: String?
    while true {
      let registration = try await registration(of: instance.flow, named: server, except: dead)
      attempt += 1
      guard self.work.count(of: registration.owner) < Self.maxWork else {
        throw ProvidedWork.Trouble(
          type: "LimitsExceeded", message: "\(registration.title) performs \(Self.maxWork) pieces of work already")
      }
      self.work.assign(claim, to: registration.owner)
      // The result may have come while nobody was asked to begin.
      if self.work.isStored(claim) { return "" }
      if try await begin(claim, Self.arguments(work, instance, attempt, context), at: registration) {
        switch await self.work.end(of: claim) {
        // The tree has the result, and tells the coordinator.
        case .stored: return ""
        case .left: break
        case .cancelled:
          cancel(claim, at: registration)
          throw CancellationError()
        }
      }
      // It may have begun before it left, and its secrets are not given away twice.
      guard context.secrets.isEmpty else { throw ProvidedWork.Interrupted() }
      dead = registration.owner
    }
  }

  /// Asks a provider to begin.
  ///
  /// - Returns: whether it has accepted; false if it has left the bus.
  private func begin(_ claim: WorkDesk.Claim, _ arguments: [Value], at registration: FlowRegistration) async throws -> Bool {
    do {
      _ = try await connection.call(registration.call("Perform", arguments))
      return true
    } catch let error as DBusError where error.isDeath {
      return false
    } catch is CancellationError {
      cancel(claim, at: registration)
      throw CancellationError()
    } catch {
      // It may have begun all the same.
      cancel(claim, at: registration)
      throw ProvidedWork.Trouble(type: "NotAccepted", message: "\(error)")
    }
  }

  private func cancel(_ claim: WorkDesk.Claim, at registration: FlowRegistration) {
    tell(registration, "CancelWork", [.string(claim.ticket.instance), .string(claim.ticket.work)])
  }

  /// Returns who serves a flow under a name. Waits for as long as nothing does, as after a restart.
  private func registration(
    of flow: String, named name: String, except dead: String?
  ) async throws(CancellationError) -> FlowRegistration {
    while true {
      let find = { [self] in
        withTable { $0.provider(of: flow).flatMap { $0.0.name == name && $0.0.owner != dead ? $0.0 : nil } }
      }
      if let found = find() { return found }
      guard await arrivals.wait(for: flow, until: nil, unless: { find() != nil }) else { throw CancellationError() }
    }
  }

  /// Calls a method that has no results.
  func tell(_ registration: FlowRegistration, _ member: String, _ arguments: [Value]) {
    let call = registration.call(member, arguments)
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

extension FlowRegistration {
  /// Returns a call of the provider's object.
  fileprivate func call(_ member: String, _ arguments: [Value]) -> MethodCall {
    MethodCall(
      destination: owner, path: path, interface: Contract.flowProviderInterface, member: member, arguments: arguments,
      autoStart: false)
  }
}
