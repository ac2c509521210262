import CoordinatorBus
import CoordinatorClient
import DBus
import Platform

/// Makes the calls of `RunFlow`, which are answered when their flows end.
final class Runner: Sendable {
  private let caller: CheckedCaller
  private let running = Lock<[Task<Void, Never>]>([])

  init(_ connection: Connection, _ tally: Tally) { caller = CheckedCaller(connection: connection, tally: tally) }

  /// Makes a call without waiting for its answer. Does nothing if a hundred calls are pending.
  func run(_ call: MethodCall) {
    running.withLock { running in
      guard running.count < 100 else { return }
      running.append(Task { [caller] in await caller.call(call, deadline: nil) })
    }
  }

  /// Ends all flows and waits for all answers. Those that do not arrive in time are reported.
  func finish() async throws {
    let daemon = DaemonClient(connection: caller.connection)
    while true {
      let flows = try await daemon.manager.listActive()
      if flows.isEmpty { break }
      for flow in flows {
        do {
          _ = try await daemon.coordinator(flow.coordinator).dismiss()
        } catch {
          guard error.isUnknownObject else { throw error }
        }
      }
    }
    let tasks = running.withLock { running in
      defer { running = [] }
      return running
    }
    let limit = Task {
      try await Task.sleep(for: CheckedCaller.deadline)
      for task in tasks { task.cancel() }
    }
    for task in tasks { await task.value }
    limit.cancel()
  }
}
