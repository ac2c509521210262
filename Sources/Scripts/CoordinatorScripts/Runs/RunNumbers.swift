import Forms
import Platform

/// Finds the runs of processes by their numbers. May be used from any thread.
final class RunNumbers: Sendable {
  /// Receives the messages of an operation, and nil when its process has ended.
  typealias Receiver = @Sendable (JSONValue?) -> Void

  private struct State: Sendable {
    var last: UInt64 = 0
    var runs: [UInt64: @Sendable (AskConnection) -> Receiver] = [:]
  }

  private let state = Lock(State())

  /// Returns an unused number.
  func next() -> UInt64 {
    state.withLock { state in
      state.last += 1
      return state.last
    }
  }

  /// Has the operations of a run passed on.
  func add(_ number: UInt64, _ connected: @escaping @Sendable (AskConnection) -> Receiver) {
    state.withLock { $0.runs[number] = connected }
  }

  /// Refuses operations of a run from now on.
  func remove(_ number: UInt64) { state.withLock { _ = $0.runs.removeValue(forKey: number) } }

  /// Returns what receives the messages of an operation; nil if there is no such run.
  func receiver(of number: UInt64, _ connection: AskConnection) -> Receiver? {
    state.withLock { $0.runs[number] }?(connection)
  }
}
