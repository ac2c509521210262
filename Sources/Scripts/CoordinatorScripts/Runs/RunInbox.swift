import Platform
import ScriptEngine

/// What a run has done and nobody has taken yet. May be used from any thread.
///
/// Messages about steps that are being done reach whoever does the work; everything else waits for the next decision.
final class RunInbox: Sendable {
  /// The most things that wait. A script waits for the answer to each operation, so that there are few.
  private static let limit = 1_000

  private struct State: Sendable {
    var events: [RunEvent] = []
    var waiters: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    var works: [Int: AsyncStream<RunEvent>.Continuation] = [:]
    var waits: UInt64 = 0
    var end: RunEvent?
  }

  private let state = Lock(State())

  /// Adds what the run has done.
  func add(_ event: RunEvent) {
    let (waiters, works) = state.withLock { state in
      if case .ended = event {
        guard state.end == nil else { return ([], []) as (Waiters, [AsyncStream<RunEvent>.Continuation]) }
        state.end = event
      }
      let works = Self.works(event, &state)
      // Nobody waits for news of a step that is not being done.
      guard !event.isAboutStep else { return ([], works) }
      state.events.append(
        state.events.count < Self.limit ? event : .message(.crash(ScriptCrash("it does not wait for its answers"))))
      if state.events.count > Self.limit + 1 { state.events.removeLast() }
      defer { state.waiters = [:] }
      return (Array(state.waiters.values), works)
    }
    for work in works { work.yield(event) }
    for waiter in waiters { waiter.resume(returning: true) }
  }

  private typealias Waiters = [CheckedContinuation<Bool, Never>]

  private static func works(_ event: RunEvent, _ state: inout State) -> [AsyncStream<RunEvent>.Continuation] {
    switch event {
    case .ended, .message(.crash): return Array(state.works.values)
    case .message(.done(_, let entry)), .message(.failed(_, let entry)), .message(.progress(_, _, let entry)):
      return state.works[entry].map { [$0] } ?? []
    default: return []
    }
  }

  /// Whether the process has ended by itself, and not well, and by the doing of this run.
  var hasDied: Bool {
    state.withLock { state in
      if case .ended(.some, _, isOwn: true)? = state.end { true } else { false }
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

  /// Returns the next thing that the run has done; waits for it until a time.
  ///
  /// - Parameter deadline: the time to wait until.
  /// - Returns: what it has done; nil if the time has come, or the task was cancelled.
  func next(until deadline: ContinuousClock.Instant) async -> RunEvent? {
    // Whoever waits besides may have taken it.
    while await isReady(until: deadline) {
      if let event = state.withLock({ $0.events.isEmpty ? nil : $0.events.removeFirst() }) { return event }
    }
    return nil
  }

  /// Waits until there is something to take, and returns whether there is.
  func isReady(until deadline: ContinuousClock.Instant) async -> Bool {
    if !state.withLock(\.events.isEmpty) { return true }
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
          state.waiters[id] = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      giveUp(id)
    }
  }

  private func giveUp(_ id: UInt64) {
    state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: false)
  }
}
