import CoordinatorBus
import CoordinatorKit
import DBus

/// Performs work by providers.
extension BusProvider {
  /// The maximum number of pieces of work that one connection performs at once.
  private static var maxWork: Int { 1024 }

  func perform(
    _ work: ProvidedWork, of instance: FlowInstance, by server: String, in context: SharedWorkContext
  ) async throws -> String {
    let claim = self.work.add(work.id, of: instance, context)
    defer { self.work.remove(claim) }
    var (trial, dead): (WorkTrial, String?) = (WorkTrial(), nil)
    var attempt = context.attempts?.begun ?? 0
    while true {
      let (served, owner) = try await serving(instance.flow, named: server, except: dead)
      let turn = try await self.turn(of: trial, at: served)
      defer { leave(turn) }
      // No work begins at a program that has already left, so this does not count as an attempt.
      guard withTable({ $0.provider(of: instance.flow)?.owner }) == owner else { continue }
      attempt += 1
      if let attempts = context.attempts, await !attempts.mayBegin(attempt) {
        attempt -= 1
        leave(turn)
        try await context.sleep(for: .seconds(1))
        continue
      }
      try Task.checkCancellation()
      guard self.work.count(of: owner) < Self.maxWork else {
        throw ProvidedWork.Trouble(
          type: "LimitsExceeded", message: "\(served.title) performs \(Self.maxWork) pieces of work already")
      }
      self.work.assign(claim, to: owner, as: server)
      // The result may have arrived while no program was asked to begin.
      if self.work.isStored(claim) { return "" }
      trial.begin(at: served.program)
      let begun = ContinuousClock.now
      switch try await end(of: claim, Self.arguments(work, instance, attempt, context), turn, at: served) {
      // The tree has the result, and delivers it to the coordinator.
      case .stored: return ""
      case .cancelled:
        cancel(claim, at: served)
        throw CancellationError()
      case .moved: trial.goesOn()
      case .left(let wasOnly):
        guard trial.dies(after: begun.duration(to: .now), wasOnly: wasOnly) else { throw died(served, work, instance) }
      }
      // The work may have begun before the program left, and its secrets are not sent twice.
      guard context.secrets.isEmpty else { throw ProvidedWork.Interrupted() }
      dead = owner
    }
  }

  /// The place that work occupies in a queue while it begins.
  private struct Turn: Sendable {
    var places: [(lanes: ProviderLanes, place: ProviderLanes.Place)] = []
    let isAlone: Bool
  }

  /// Waits until work may begin.
  private func turn(of trial: WorkTrial, at served: ProvidedFlow) async throws(CancellationError) -> Turn {
    var turn = Turn(isAlone: trial.isAlone)
    // Questions are interleaved, regardless of the amount of suspect work.
    for (lanes, width, isAlone) in [(trials, 1, false), (lanes, served.concurrency, trial.isAlone)]
    where lanes !== trials || trial.isAlone {
      guard let place = await lanes.enter(served.key, width: width, isAlone: isAlone, isPatient: true, until: nil) else {
        leave(turn)
        throw CancellationError()
      }
      turn.places.append((lanes, place))
    }
    return turn
  }

  private func leave(_ turn: Turn) { for (lanes, place) in turn.places.reversed() { lanes.leave(place) } }

  /// Asks a provider to begin, and waits until the work ends or must begin again.
  private func end(
    of claim: WorkDesk.Claim, _ arguments: [Value], _ turn: Turn, at served: ProvidedFlow
  ) async throws -> WorkDesk.End {
    let trialEnd = turn.isAlone ? ContinuousClock.now + WorkTrial.time : nil
    if let end = try await begin(claim, arguments, at: served) { return end }
    if let trialEnd, let end = await work.end(of: claim, until: trialEnd) { return end }
    leave(turn)
    return await work.end(of: claim) ?? .cancelled
  }

  /// Asks a provider to begin.
  ///
  /// - Returns: nil if the provider has accepted; otherwise, how it has left.
  private func begin(_ claim: WorkDesk.Claim, _ arguments: [Value], at served: ProvidedFlow) async throws -> WorkDesk.End? {
    do {
      _ = try await connection.call(served.call("Perform", arguments))
      return nil
    } catch let error as DBusError where error.isDeath {
      return error.isAbsence ? .moved : .left(wasOnly: false)
    } catch is CancellationError {
      cancel(claim, at: served)
      throw CancellationError()
    } catch {
      // The work may nevertheless have begun.
      cancel(claim, at: served)
      throw ProvidedWork.Trouble(type: "NotAccepted", message: "\(error)")
    }
  }

  /// Returns the end of work whose provider has died too often while it performed the work.
  private func died(_ served: ProvidedFlow, _ work: ProvidedWork, _ instance: FlowInstance) -> ProvidedWork.Trouble {
    let reason = "\(served.title) dies each time that it performs the work \(work.id) of the flow \(instance.flow)"
    log.logTrouble(.failed(reason), at: instance.path)
    return ProvidedWork.Trouble(type: "ProviderDied", message: reason)
  }

  private func cancel(_ claim: WorkDesk.Claim, at served: ProvidedFlow) {
    tell(served, "CancelWork", [.string(claim.ticket.instance), .string(claim.ticket.work)])
  }

  /// Returns the program that serves a flow under a name, and its connection. Waits while no program does, as after a restart.
  private func serving(
    _ flow: String, named name: String, except dead: String?
  ) async throws(CancellationError) -> (ProvidedFlow, owner: String) {
    while true {
      let find = { [self] () -> (ProvidedFlow, owner: String)? in
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

  /// Calls a method without results.
  func tell(_ served: ProvidedFlow, _ member: String, _ arguments: [Value]) {
    let call = served.call(member, arguments)
    connection.loop.post { [connection] in connection.assumeIsolated { try? $0.send(call) } }
  }

  /// Notifies providers of the end of their coordinators.
  ///
  /// - Parameters:
  ///   - ended: the coordinators of a tree that a transition has ended.
  ///   - before: the tree before that transition; nil at its start.
  func tell(of ended: [EndedCoordinator], before: TreeState?) {
    for coordinator in ended {
      guard let served = withTable({ $0.provider(of: coordinator.flow) }), served.owner != nil,
        let record = before?.coordinators[coordinator.path]
      else { continue }
      let instance = FlowInstance(flow: coordinator.flow, path: coordinator.path, startedAt: record.startedAt)
      tell(served, "Ended", [.string(instance.name), .string(coordinator.outcome.name)])
    }
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

/// The attempts of a provider to perform one piece of work. Determines whether the work causes the provider's deaths (P12). A
/// value that makes decisions; its owner does the waiting.
///
/// As with questions, the first death does not count. After it, the work begins alone, and a death while it is alone counts.
/// Work may take forever, so it is alone only for a limited time. A later death counts if the provider performed nothing else
/// at that time.
struct WorkTrial: Sendable {
  /// The time for which no other work begins beside suspect work.
  static let time = Duration.seconds(1)
  /// Work that has run for this long is not the cause of its provider's death.
  static let proof = Duration.seconds(300)

  private var history = AskingHistory()

  /// Whether no other work may begin at the same time.
  var isAlone: Bool { history.isSuspect }

  /// Records that a program is asked to begin.
  mutating func begin(at program: ServingProgram) { history.ask(program) }

  /// Records that the program had left before it was asked to begin, or was replaced by another one.
  mutating func goesOn() { history.wasNotAsked() }

  /// Records that the program has left while it performed the work.
  ///
  /// - Parameters:
  ///   - time: the time since the work began.
  ///   - wasOnly: whether the program performed no other work.
  /// - Returns: whether to begin again.
  mutating func dies(after time: Duration, wasOnly: Bool) -> Bool {
    guard time < Self.proof else {
      self = WorkTrial()
      return true
    }
    guard time < Self.time || wasOnly else {
      history.wasNotAsked()
      return true
    }
    return history.dies()
  }
}
