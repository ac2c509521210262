import Platform
import ScriptEngine

/// What a run has done and nobody has taken yet. May be used from any thread.
///
/// Messages about steps that are being done reach whoever does the work; everything else waits for the next decision.
final class RunInbox: Sendable {
  private struct State: Sendable {
    var events: [RunEvent] = []
    var waiter: (id: UInt64, continuation: CheckedContinuation<Bool, Never>)?
    var works: [Int: AsyncStream<RunEvent>.Continuation] = [:]
    var waits: UInt64 = 0
    var end: RunEvent?
  }

  private let state = Lock(State())

  /// Adds what the run has done.
  func add(_ event: RunEvent) {
    let (waiter, works) = state.withLock { state in
      if case .ended = event {
        guard state.end == nil else {
          return (nil, []) as (CheckedContinuation<Bool, Never>?, [AsyncStream<RunEvent>.Continuation])
        }
        state.end = event
      }
      let works = Self.works(event, &state)
      if works.isEmpty || event.isEnd { state.events.append(event) }
      defer { if !state.events.isEmpty { state.waiter = nil } }
      return (state.events.isEmpty ? nil : state.waiter?.continuation, works)
    }
    for work in works { work.yield(event) }
    waiter?.resume(returning: true)
  }

  private static func works(_ event: RunEvent, _ state: inout State) -> [AsyncStream<RunEvent>.Continuation] {
    switch event {
    case .ended, .message(.crash): return Array(state.works.values)
    case .message(.done(_, let entry)), .message(.failed(_, let entry)), .message(.progress(_, _, let entry)):
      return state.works[entry].map { [$0] } ?? []
    default: return []
    }
  }

  /// Returns what the run does about a step from now on, until ``endWork(on:)``.
  func beginWork(on entry: Int) -> AsyncStream<RunEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: RunEvent.self)
    let end = state.withLock { state in
      state.works[entry] = continuation
      return state.end
    }
    if let end { continuation.yield(end) }
    return stream
  }

  /// Takes back ``beginWork(on:)``.
  func endWork(on entry: Int) { state.withLock { $0.works.removeValue(forKey: entry) }?.finish() }

  /// Whether a step is being done.
  var isWorking: Bool { state.withLock { !$0.works.isEmpty } }

  /// Returns the next thing that the run has done; waits for it until a time. One caller may wait at a time.
  ///
  /// - Parameter deadline: the time to wait until.
  /// - Returns: what it has done; nil if the time has come, or the task was cancelled.
  func next(until deadline: ContinuousClock.Instant) async -> RunEvent? {
    guard await isReady(until: deadline) else { return nil }
    return state.withLock { state in state.events.isEmpty ? nil : state.events.removeFirst() }
  }

  /// Waits until there is something to take, and returns whether there is.
  func isReady(until deadline: ContinuousClock.Instant) async -> Bool {
    let id = state.withLock { state in
      state.waits += 1
      return state.waits
    }
    let timer = Task {
      try? await Task.sleep(until: deadline)
      self.giveUp(id)
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if !state.events.isEmpty { return true }
          if Task.isCancelled || deadline <= .now { return false }
          state.waiter = (id, continuation)
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      giveUp(id)
    }
  }

  private func giveUp(_ id: UInt64) {
    let waiter = state.withLock { state in
      guard state.waiter?.id == id else { return nil as CheckedContinuation<Bool, Never>? }
      defer { state.waiter = nil }
      return state.waiter?.continuation
    }
    waiter?.resume(returning: false)
  }
}

extension RunEvent {
  fileprivate var isEnd: Bool {
    switch self {
    case .ended, .message(.crash): true
    default: false
    }
  }
}
