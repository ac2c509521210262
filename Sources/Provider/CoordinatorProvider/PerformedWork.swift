import CoordinatorBus
import CoordinatorKit
import DBus
import Platform

/// Performs work of the daemon's coordinators in this process. May be used from any thread.
final class PerformedWork: Sendable {
  private struct State: Sendable {
    var tasks: [WorkName: Task<Void, Never>] = [:]
    /// The results that the daemon has not stored yet.
    var untold: [WorkName: [String: Value]] = [:]
    var live: [WorkName: LiveWork] = [:]
    /// Whether a user views the screens of each instance, as far as known.
    var looking: [String: Bool] = [:]
    var audiences: [WorkName: WorkAudience] = [:]
    /// The work for which an error was reported because the daemon does not store its result.
    var complained: Set<WorkName> = []
  }

  private let state = Lock(State())
  private let server: any FlowService
  private let connection: Connection
  private let activity: Activity
  private let complain: @Sendable (String) -> Void

  init(
    _ server: any FlowService, _ connection: Connection, _ activity: Activity, complain: @escaping @Sendable (String) -> Void
  ) {
    (self.server, self.connection, self.activity, self.complain) = (server, connection, activity, complain)
  }

  /// Begins a piece of work, unless it already runs, or its result is about to be sent.
  func perform(_ order: PerformRequest) {
    state.withLock { state in
      guard state.tasks[order.name] == nil else { return }
      activity.begin(isMovable: server.isMovable(order.flow))
      state.tasks[order.name] = Task(executorPreference: globalConcurrentExecutor) { await self.run(order) }
    }
  }

  /// Cancels a piece of work. Its result is no longer needed.
  func cancel(_ name: WorkName) { state.withLock { $0.tasks[name] }?.cancel() }

  /// Cancels all work of a coordinator.
  func cancelAll(of instance: String) {
    let tasks = state.withLock { state in
      state.looking[instance] = nil
      return state.tasks.filter { $0.key.instance == instance }.values.map(\.self)
    }
    for task in tasks { task.cancel() }
  }

  /// Cancels all work.
  func cancelAll() { for task in state.withLock({ $0.tasks.values.map(\.self) }) { task.cancel() } }

  /// Records whether a user views the screens of a coordinator.
  func set(isLooking: Bool, at instance: String) {
    let audiences = state.withLock { state in
      state.looking[instance] = isLooking
      return state.audiences.filter { $0.key.instance == instance }.values.map(\.self)
    }
    for audience in audiences { audience.set(isLooking: isLooking) }
  }

  /// Shows again the values that the work of a coordinator has reported, because its screens have changed.
  func showAgain(_ instance: String) {
    let live = state.withLock { state in state.live.isEmpty ? [:] : state.live.filter { $0.key.instance == instance } }
    for work in live.values { work.showAgain() }
  }

  /// Sends the results of work that ended while no daemon ran to a daemon that has just started.
  func tellAgain() {
    for (name, result) in state.withLock({ $0.untold }) { Task { await tell(name, result) } }
  }

  private func run(_ order: PerformRequest) async {
    defer {
      for secret in order.secrets.values { secret.wipe() }
      state.withLock { state in
        state.tasks[order.name] = nil
        state.untold[order.name] = nil
        state.live[order.name] = nil
        state.audiences[order.name] = nil
        state.complained.remove(order.name)
      }
      activity.end(isMovable: server.isMovable(order.flow))
    }
    let reports = WorkReports(of: order.name, on: connection)
    var context = SharedWorkContext(
      secrets: order.secrets, audience: audience(order), report: { reports.add($0) },
      show: { self.liveWork(order).show($0) })
    context.complain = { [complain] in complain("\(order.name): \($0)") }
    let result: [String: Value]
    do {
      let value = try await server.perform(
        order.work, of: order.flow, instance: order.name.instance, attempt: order.attempt, in: context)
      // The daemon would refuse the result each time.
      guard value.utf8.count <= TooLongResult.limit else { throw TooLongResult() }
      result = ["value": .string(value)]
    } catch is TooLongResult {
      result = TooLongResult().described
    } catch {
      let message = FailureMessage.fitting("\(error)", complain: context.complain)
      result = ["type": .string("\(type(of: error))"), "message": .string(message)]
    }
    guard !Task.isCancelled else { return }
    state.withLock { $0.untold[order.name] = result }
    await tellUntilStored(order.name)
  }

  private func audience(_ order: PerformRequest) -> WorkAudience {
    state.withLock { state in
      // The daemon sends a notification for new work when a user views its screen; for resumed work, it may have notified
      // another process.
      let isLooking = state.looking[order.name.instance] ?? (order.attempt > 1 || !server.showsLiveValues(order.flow))
      let audience = WorkAudience(of: order.path, isLooking: isLooking)
      state.audiences[order.name] = audience
      return audience
    }
  }

  private func liveWork(_ order: PerformRequest) -> LiveWork {
    state.withLock { state in
      if let live = state.live[order.name] { return live }
      let live = LiveWork(order, server, on: connection)
      state.live[order.name] = live
      return live
    }
  }

  private func tellUntilStored(_ name: WorkName) async {
    var delay = Duration.seconds(1)
    while !Task.isCancelled, let result = state.withLock({ $0.untold[name] }) {
      if await tell(name, result) { return }
      try? await Task.sleep(for: delay)
      delay = min(delay * 2, .seconds(60))
    }
  }

  /// Returns whether the daemon has the result, or does not want it.
  @discardableResult
  private func tell(_ name: WorkName, _ result: [String: Value]) async -> Bool {
    do {
      _ = try await connection.call(
        .manager("EndWork", [.string(name.instance), .string(name.work), .vardict(result)]))
    } catch let error as DBusError where !error.isFromBus && error.isStandard("AccessDenied") {
      // Another connection performs the work now.
    } catch let error as DBusError where !error.isFromBus && error.isStandard("InvalidArgs") {
      complain("\(name): coordinatord does not take the result: \(error.message)")
      // Otherwise, the flow would not be notified that the work has ended, and the daemon would refuse the same result
      // repeatedly.
      let replacement = RefusedResult(reason: error.message).described
      if result["type"] != replacement["type"] {
        state.withLock { if $0.untold[name] != nil { $0.untold[name] = replacement } }
        return await tell(name, replacement)
      }
    } catch let error as DBusError where !error.isFromBus {
      if state.withLock({ $0.complained.insert(name).inserted }) {
        complain("\(name): coordinatord has not stored the result, and is told again: \(error)")
      }
      return false
    } catch {
      // There is no daemon, or it is slow.
      return false
    }
    state.withLock { $0.untold[name] = nil }
    return true
  }
}

/// The error for a result that cannot be stored: the work was done, and must not be ordered again for this reason.
protocol LostResult: Error, CustomStringConvertible {
  /// The type of the error that the flow receives instead of the result.
  static var type: String { get }
}

extension LostResult {
  /// The arguments of `EndWork` instead of the result.
  var described: [String: Value] { ["type": .string(Self.type), "message": .string(description)] }
}

/// The error for a result that is longer than the daemon stores.
struct TooLongResult: LostResult {
  /// The maximum number of bytes of a result, as text.
  static let limit = 256 * 1024
  static let type = "too-long"

  var description: String { "the work was done, but its result has more than \(Self.limit / 1024) KiB, and is not stored" }
}

/// The error for a result that the daemon has refused.
struct RefusedResult: LostResult {
  static let type = "refused-result"

  let reason: String

  var description: String { "the work has ended, but its result was refused: \(reason)" }
}

/// The name of a piece of work among all work that this process performs.
struct WorkName: Sendable, Hashable, CustomStringConvertible {
  let instance: String
  let work: String

  /// The name in log messages.
  var description: String { "the work \(work) of \(instance)" }
}

/// A piece of work to perform.
struct PerformRequest: Sendable {
  let flow: String
  let name: WorkName
  let path: CoordinatorPath
  let work: ProvidedWork
  /// The number of attempts to perform the work, including this one.
  let attempt: UInt64
  let secrets: [String: Secret]

  /// Decodes an order from the arguments of `Perform`; nil if they are invalid.
  init?(_ arguments: [Value]) {
    guard arguments.count == 6, let flow = arguments[0].string, let instance = arguments[1].string,
      let id = arguments[2].string, let argument = arguments[4].string, let secrets = arguments[5].vardict,
      let known = FlowInstance(instance, of: flow)
    else { return nil }
    self.flow = flow
    name = WorkName(instance: instance, work: id)
    path = known.path
    attempt = arguments[3].uint64 ?? 1
    work = ProvidedWork(id: id, argument: argument)
    self.secrets = secrets.compactMapValues { $0.string.map { Secret($0) } }
  }
}

/// Reports the progress of a piece of work to the daemon, at most ten times a second. May be used from any thread.
final class WorkReports: Sendable {
  private struct State: Sendable {
    var values: [String: Value] = [:]
    var last: ContinuousClock.Instant?
    var isDue = false
  }

  private static let interval = Duration.milliseconds(100)

  private let state = Lock(State())
  private let name: WorkName
  private let connection: Connection

  init(of name: WorkName, on connection: Connection) { (self.name, self.connection) = (name, connection) }

  /// Reports progress.
  func add(_ progress: Progress) { add(progress.vardict, replacing: ["fraction", "text"]) }

  /// Reports values. They replace unsent values with the given keys.
  func add(_ values: [String: Value], replacing keys: Set<String>) {
    let delay: Duration? = state.withLock { state in
      state.values = state.values.filter { !keys.contains($0.key) }.merging(values) { $1 }
      guard !state.isDue else { return nil }
      state.isDue = true
      guard let last = state.last else { return .zero }
      return max(.zero, ContinuousClock.now.duration(to: last + Self.interval))
    }
    guard let delay else { return }
    connection.loop.schedule(after: delay) { self.send() }
  }

  private func send() {
    let values = state.withLock { state in
      state.isDue = false
      state.last = .now
      defer { state.values = [:] }
      return state.values
    }
    let call = MethodCall.manager("ReportWork", [.string(name.instance), .string(name.work), .vardict(values)])
    connection.assumeIsolated { try? $0.send(call) }
  }
}
