import CoordinatorBus
import CoordinatorKit
import DBus
import Platform
import ProviderFiles

/// Asks the providers of flows on the bus. May be used from any thread.
final class BusProvider: FlowProvider {
  private let table = Lock(ProviderTable())
  private let ledger = Lock(StateLedger())
  let connection: Connection
  let work: WorkDesk
  let arrivals: Arrivals
  /// Whether only trusted users may serve.
  let isSystem: Bool
  /// The maximum time from the start of a provider until it owns its name.
  let startTime: Duration
  /// The queues of questions, and of work that begins.
  let lanes: ProviderLanes
  /// The queues of work that is suspected of killing its provider, one piece at a time.
  let trials: ProviderLanes
  let log: FlowLog
  /// The directories with scripts.
  let scripts: ScriptDirectories
  /// Whether the daemon itself serves a flow.
  let isBuiltIn: @Sendable (String) -> Bool
  /// The connections that are deciding, by the root of the tree that waits for them.
  private let asked = Lock<[Substring: String]>([:])

  /// Creates a provider that knows no programs yet.
  ///
  /// - Parameters:
  ///   - connection: the connection of the daemon.
  ///   - isSystem: whether only trusted users may serve.
  ///   - startTime: the maximum time from the start of a provider until it owns its name.
  ///   - scripts: the directories of scripts.
  ///   - log: the log of the flows.
  ///   - isBuiltIn: whether the daemon itself serves a flow.
  init(
    connection: Connection, isSystem: Bool, startTime: Duration, scripts: ScriptDirectories = ScriptDirectories([]),
    log: FlowLog, isBuiltIn: @escaping @Sendable (String) -> Bool = { _ in false }
  ) {
    (self.log, self.scripts, self.isBuiltIn) = (log, scripts, isBuiltIn)
    self.connection = connection
    self.isSystem = isSystem
    self.startTime = startTime
    let waits = TimedWaits(loop: connection.loop)
    (arrivals, work) = (Arrivals(waits: waits), WorkDesk(waits: waits))
    (lanes, trials) = (ProviderLanes(waits: waits), ProviderLanes(waits: waits))
  }

  /// Reads or changes the table of providers.
  func withTable<Result: Sendable>(_ body: (inout ProviderTable) throws -> Result) rethrows -> Result {
    try table.withLock(body)
  }

  func decide(
    _ question: FlowQuestion, as known: ServingProgram?, after history: AskingHistory, within time: Duration
  ) async -> (answer: FlowAnswer, history: AskingHistory) {
    var asking = Asking(question, after: history, until: .now + time)
    while true {
      let served: ProvidedFlow
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
      if let answer {
        let answer = limited(answer, question, served)
        return (await explained(answer, of: question.instance.flow, until: asking.end), asking.history)
      }
    }
  }

  /// Records the sizes of the states that providers have stored for coordinators.
  func note(_ state: TreeState, at paths: some Sequence<CoordinatorPath>) {
    ledger.withLock { ledger in for path in paths { ledger.set(state.coordinators[path], at: path) } }
  }

  /// Refuses a decision that would exceed the provider's limit of stored data.
  private func limited(_ answer: FlowAnswer, _ question: FlowQuestion, _ served: ProvidedFlow) -> FlowAnswer {
    guard case .decided(let decision) = answer,
      !ledger.withLock({ $0.take(decision.storedSize, of: question.instance.path, by: served.name) })
    else { return answer }
    return .refused(.limitExceeded("the flows of \(served.title) store too much together"))
  }

  private func ask(_ served: ProvidedFlow, _ asking: Asking, within time: Duration?) async -> Asking.Reply {
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

  /// Returns the program that serves the flow of a question. Starts it if the bus can; otherwise waits for a short time if a
  /// well-known name has just lost its owner, because a service manager may restart the program.
  private func serving(_ asking: Asking) async throws(ProviderTrouble) -> ProvidedFlow {
    let flow = asking.question.instance.flow
    while true {
      let (found, leaves) = withTable { ($0.provider(of: flow), $0.timeOfReturn(of: flow, dead: asking.dead)) }
      if let found, let owner = found.owner, owner != asking.dead { return found }
      if found?.mayBeActivated == true { return try await serving(flow, except: asking.dead, until: asking.end) }
      guard let leaves, leaves > .now, asking.end > .now else { throw .gone(asking.whyGone) }
      // Without a service manager, only the bus starts it again. Only for a new flow: others wait if a user has stopped it.
      if case .start = asking.question.event, !isSystem, asking.lastName == Contract.scriptsName {
        _ = await startScriptProgram()
      }
      let isResumed = await arrivals.wait(for: flow, until: min(leaves, asking.end)) {
        withTable { $0.provider(of: flow).map { $0.owner != nil && $0.owner != asking.dead } ?? false }
      }
      guard isResumed else { throw .gone(asking.whyGone) }
    }
  }

  /// Returns whether a call of a connection into a tree would need to wait for an answer of the same connection.
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

extension ProvidedFlow {
  /// Returns a call of the provider's object.
  func call(_ member: String, _ arguments: [Value]) -> MethodCall {
    MethodCall(
      destination: owner ?? name, path: path, interface: Contract.flowProviderInterface, member: member, arguments: arguments,
      autoStart: false)
  }
}

/// Moves work from a program to the one that has replaced it (P18).
extension BusProvider {
  /// The time for a replaced program to leave the bus, or to end its work.
  private static var releaseTime: Duration { .seconds(5) }

  /// Asks a program that has lost its name to release its flows. If it stays on the bus, its work moves to its successor.
  ///
  /// - Parameters:
  ///   - name: the well-known name.
  ///   - former: the connection that has lost the name.
  ///   - owner: the connection that owns it now.
  func release(_ name: String, from former: String?, to owner: String) {
    let served = withTable { $0.served.filter { $0.value.name == name } }
    guard let path = served.values.first?.path else { return }
    let flows = served.keys.sorted()
    let work = self.work.work(under: name, exceptOf: owner)
    for connection in Set(work.keys).union([former].compactMap(\.self)).sorted() where connection != owner {
      send("Release", [.strings(flows), .string("another program serves these flows now")], to: connection, at: path)
    }
    for (performer, tickets) in work.sorted(by: { $0.key < $1.key }) {
      for ticket in tickets.sorted(by: { ($0.instance, $0.work) < ($1.instance, $1.work) }) {
        send("CancelWork", [.string(ticket.instance), .string(ticket.work)], to: performer, at: path)
      }
      connection.loop.schedule(after: Self.releaseTime) { [work = self.work] in work.take(tickets, from: performer) }
    }
  }

  private func send(_ member: String, _ arguments: [Value], to connection: String, at path: ObjectPath) {
    let call = MethodCall(
      destination: connection, path: path, interface: Contract.flowProviderInterface, member: member, arguments: arguments,
      autoStart: false)
    self.connection.loop.post { [connection = self.connection] in connection.assumeIsolated { try? $0.send(call) } }
  }
}

/// A flow with its provider, and the data for calling the provider.
struct ProvidedFlow: Sendable {
  /// The description of the flow: from its registration while the provider runs, otherwise from its file.
  let flow: RegisteredFlow
  /// The well-known name of the provider; "" for a connection without one.
  let name: String
  /// The unique name of the connection that serves the flow now; nil if the provider is not running.
  var owner: String?
  /// The path of the provider's object.
  let path: ObjectPath
  /// The file that gives the flow to the provider; nil for one that has only registered.
  let file: ProviderFile?
  /// The provider's registration; nil until it has registered.
  var registration: FlowRegistration?

  /// The name of the provider for users.
  var title: String { file?.title ?? (name.isEmpty ? owner ?? "" : name) }

  /// The key of the provider: its name, or its unique name for a connection without one.
  var key: String { name.isEmpty ? owner ?? "" : name }

  /// The number of trees about which the provider may be asked at the same time.
  var concurrency: Int {
    let registered = registration?.concurrency ?? FlowRegistration.maxConcurrency
    return min(registered, Int(file?.concurrency ?? ProviderFile.defaultConcurrency))
  }

  /// The program.
  var program: ServingProgram { ServingProgram(name: name, version: flow.version, digest: registration?.digest ?? "") }

  /// Whether the bus may be asked to start the provider. A provider that only registers is started by other programs.
  var mayBeActivated: Bool { file != nil }

  /// Returns whether the same program serves another flow at the same object.
  func isServed(as other: ProvidedFlow) -> Bool { name == other.name && owner == other.owner && path == other.path }
}

/// Records which providers are away, and which do not answer. A value that makes decisions.
struct ProviderAbsences: Sendable {
  private struct Departure: Sendable {
    let time: ContinuousClock.Instant
    let isNamed: Bool
  }

  /// The time for which a question waits for a name that has just lost its owner.
  static var patience: Duration { .seconds(5) }
  /// The time after which the coordinators of a flow that is not served may be cancelled without asking.
  static var absence: Duration { .seconds(20) }

  /// The departures of providers, by flow, of flows that are not served.
  private var departed: [String: Departure] = [:]
  /// The times since which providers have not answered, by provider.
  private var silent: [String: ContinuousClock.Instant] = [:]
  /// The start of the daemon: flows of stored trees may not have been served since then.
  private let begun = ContinuousClock.now

  /// Records that a flow is no longer served.
  mutating func left(_ flow: String, _ provider: ProvidedFlow, at now: ContinuousClock.Instant) {
    silent[provider.key] = nil
    departed = departed.filter { $0.value.time.duration(to: now) < Self.absence }
    departed[flow] = Departure(time: now, isNamed: !provider.name.isEmpty)
  }

  /// Records that a flow is served.
  mutating func returned(_ flow: String) { departed[flow] = nil }

  /// Records whether a provider has answered a question.
  mutating func note(_ isAnswer: Bool, from provider: String, at now: ContinuousClock.Instant) {
    if isAnswer { silent[provider] = nil } else { silent[provider] = silent[provider] ?? now }
  }

  /// Returns the time until which to wait for a flow that is not served; nil if it is not expected to return.
  func timeOfReturn(of flow: String) -> ContinuousClock.Instant? {
    departed[flow].flatMap { $0.isNamed ? $0.time + Self.patience : nil }
  }

  /// Returns whether a flow has not been served for ``absence``.
  ///
  /// - Parameters:
  ///   - flow: the flow.
  ///   - provider: the program that serves the flow; nil if there is none.
  ///   - now: the time.
  /// - Returns: whether its provider is away, or does not answer.
  func isAway(_ flow: String, _ provider: ProvidedFlow?, at now: ContinuousClock.Instant) -> Bool {
    let since = provider.map { silent[$0.key] } ?? departed[flow]?.time ?? begun
    return since.map { $0.duration(to: now) >= Self.absence } ?? false
  }
}

/// Counts the data that each provider has stored (P23). A value; its owner records the changes.
struct StateLedger: Sendable {
  private struct Entry: Sendable {
    let server: String
    var size: StoredSize
  }

  private let limit: Int
  private var entries: [CoordinatorPath: Entry] = [:]
  private var totals: [String: Int] = [:]

  /// Creates an empty ledger.
  ///
  /// - Parameter limit: the maximum number of bytes of all coordinators of one provider.
  init(limit: Int = 64 * 1024 * 1024) { self.limit = limit }

  /// Records the stored size of a coordinator; removes it if the coordinator has ended, or its flow is built in.
  mutating func set(_ record: CoordinatorRecord?, at path: CoordinatorPath) {
    set(record?.storedByProvider.map { Entry(server: $0.server, size: $0.size) }, at: path)
  }

  /// Adds the size of an answer for a coordinator, if the sum does not exceed the limit.
  ///
  /// A transition that changes no screens is not published, so its answer is counted here. The text of the state replaces the
  /// former one; the remaining size of the screens is known when the transition is published.
  ///
  /// - Parameters:
  ///   - size: the size of the answer.
  ///   - path: the coordinator. A coordinator that is being started counts when its start is published.
  ///   - server: the well-known name of the provider.
  /// - Returns: false if the provider would exceed its limit.
  mutating func take(_ size: StoredSize, of path: CoordinatorPath, by server: String) -> Bool {
    let own = entries[path].flatMap { $0.server == server ? $0.size : nil }
    guard (totals[server] ?? 0) - (own?.total ?? 0) + size.total <= limit else { return false }
    guard let own else { return true }
    let both = StoredSize(state: size.state, screens: own.screens + size.screens)
    set(Entry(server: server, size: both), at: path)
    return true
  }

  private mutating func set(_ entry: Entry?, at path: CoordinatorPath) {
    if let old = entries[path] {
      let rest = (totals[old.server] ?? 0) - old.size.total
      totals[old.server] = rest > 0 ? rest : nil
    }
    if entry != nil || entries[path] != nil { entries[path] = entry }
    if let entry { totals[entry.server, default: 0] += entry.size.total }
  }
}
