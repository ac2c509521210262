import CoordinatorBus
import CoordinatorKit
import DBus
import Platform

/// The work that this process performs. May be used from any thread.
final class PerformedWork: Sendable {
  private struct State: Sendable {
    var tasks: [WorkName: Task<Void, Never>] = [:]
    /// What the daemon has not yet stored.
    var untold: [WorkName: [String: Value]] = [:]
  }

  private let state = Lock(State())
  private let server: FlowServer
  private let connection: Connection
  private let activity: Activity

  init(_ server: FlowServer, _ connection: Connection, _ activity: Activity) {
    (self.server, self.connection, self.activity) = (server, connection, activity)
  }

  /// Begins a piece of work, unless it runs already or its result is about to be told.
  func perform(_ order: WorkOrder) {
    state.withLock { state in
      guard state.tasks[order.name] == nil else { return }
      activity.begin()
      state.tasks[order.name] = Task(executorPreference: globalConcurrentExecutor) { await self.run(order) }
    }
  }

  /// Cancels a piece of work. Nobody waits for its result any more.
  func cancel(_ name: WorkName) { state.withLock { $0.tasks[name] }?.cancel() }

  /// Cancels all work of a coordinator.
  func cancelAll(of instance: String) {
    for task in state.withLock({ $0.tasks.filter { $0.key.instance == instance }.values.map(\.self) }) { task.cancel() }
  }

  /// Cancels all work.
  func cancelAll() { for task in state.withLock({ $0.tasks.values.map(\.self) }) { task.cancel() } }

  /// Tells a daemon that has just come what ended while there was none.
  func tellAgain() {
    for (name, result) in state.withLock(\.untold) { Task { await tell(name, result) } }
  }

  private func run(_ order: WorkOrder) async {
    defer {
      for secret in order.secrets.values { secret.wipe() }
      state.withLock { state in
        state.tasks[order.name] = nil
        state.untold[order.name] = nil
      }
      activity.end()
    }
    let reports = WorkReports(of: order.name, on: connection)
    let context = SharedWorkContext(
      secrets: order.secrets, audience: WorkAudience(of: order.path), report: { reports.add($0) }, show: { _ in })
    let result: [String: Value]
    do {
      result = ["value": .string(try await server.perform(order.work, of: order.flow, in: context))]
    } catch {
      result = ["type": .string("\(type(of: error))"), "message": .string("\(error)")]
    }
    guard !Task.isCancelled else { return }
    state.withLock { $0.untold[order.name] = result }
    await tellUntilStored(order.name, result)
  }

  private func tellUntilStored(_ name: WorkName, _ result: [String: Value]) async {
    var delay = Duration.seconds(1)
    while !Task.isCancelled, state.withLock({ $0.untold[name] != nil }) {
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
    } catch let error as DBusError where error.isStandard("AccessDenied") || error.isStandard("InvalidArgs") {
      // Another connection performs the work by now.
    } catch {
      return false
    }
    state.withLock { $0.untold[name] = nil }
    return true
  }
}
