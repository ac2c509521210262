import CoordinatorKit
import Platform

/// Holds back the end of work until it is released, so that other moves can be tried while the work runs.
final class WorkGate: Sendable {
  private struct Gate {
    var isOpen = false
    var done: [WorkID: @Sendable () -> Void] = [:]
    var waiting: [WorkID: CheckedContinuation<(@Sendable () -> Void)?, Never>] = [:]
  }
  private let gate = Lock(Gate())

  /// Takes the closure that notifies a coordinator of the end of its work.
  func hold(_ id: WorkID, _ tell: @escaping @Sendable () -> Void) {
    let (waiting, isOpen) = gate.withLock { gate in
      let waiting = gate.waiting.removeValue(forKey: id)
      if waiting == nil && !gate.isOpen { gate.done[id] = tell }
      return (waiting, gate.isOpen)
    }
    if let waiting { waiting.resume(returning: tell) } else if isOpen { tell() }
  }

  /// Waits until a piece of work is done, and notifies its coordinator.
  ///
  /// - Parameters:
  ///   - id: the id of the work; only one caller may wait for it.
  ///   - patience: the time limit.
  /// - Returns: whether the work was done in time.
  func letThrough(_ id: WorkID, within patience: Duration) async -> Bool {
    var deadline: Task<Void, any Error>?
    defer { deadline?.cancel() }
    let tell = await withCheckedContinuation { continuation in
      let done = gate.withLock { gate in
        let done = gate.done.removeValue(forKey: id)
        if done == nil { gate.waiting[id] = continuation }
        return done
      }
      if let done { return continuation.resume(returning: done) }
      deadline = Task {
        try await Task.sleep(for: patience)
        gate.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: nil)
      }
    }
    tell?()
    return tell != nil
  }

  /// Releases all work, including work that ends later.
  func open() {
    let done = gate.withLock { gate in
      gate.isOpen = true
      defer { gate.done = [:] }
      return gate.done.values.map(\.self)
    }
    for tell in done { tell() }
  }
}
