import CoordinatorKit
import Platform

/// The sleep of the work of one tree, which the test kit ends, and when that work has come to rest.
///
/// Work is at rest while it sleeps (`WorkContext.sleep(for:)`), waits for a viewer, or is done.
final class WorkPace: Sendable {
  private struct Sleeper {
    let work: WorkID
    let due: Timestamp
    let resume: CheckedContinuation<Void, Never>
  }

  private struct State {
    var asleep: [UInt64: Sleeper] = [:]
    var done: Set<WorkID> = []
    /// Work that has not come to rest in time, and is not awaited again: it waits for something else than the clock.
    var restless: Set<WorkID> = []
    var waiting: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    /// The number of changes so far.
    var changes: UInt64 = 0
    var lastTicket: UInt64 = 0

    var next: Sleeper? { asleep.values.min { $0.due < $1.due } }

    mutating func nextTicket() -> UInt64 {
      lastTicket += 1
      return lastTicket
    }
  }

  private let state = Lock(State())

  /// When the next piece of work wakes up; nil if none sleeps.
  var nextDue: Timestamp? { state.withLock { $0.next?.due } }

  /// Returns whether a piece of work sleeps.
  func isAsleep(_ work: WorkID) -> Bool { state.withLock { $0.asleep.values.contains { $0.work == work } } }

  // MARK: What work does

  /// Lets a piece of work sleep until it is woken.
  ///
  /// - Throws: `CancellationError` if the work is cancelled meanwhile.
  func sleep(_ work: WorkID, until due: Timestamp) async throws {
    let ticket = state.withLock { $0.nextTicket() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isAsleep = state.withLock { state in
          if Task.isCancelled { return false }
          state.asleep[ticket] = Sleeper(work: work, due: due, resume: continuation)
          return true
        }
        if isAsleep { noteChange() } else { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.asleep.removeValue(forKey: ticket) }?.resume.resume()
    }
    try Task.checkCancellation()
  }

  /// Records that a piece of work is done.
  func isDone(_ work: WorkID) {
    state.withLock { _ = $0.done.insert(work) }
    noteChange()
  }

  /// Records that something has changed that others may wait for.
  func noteChange() {
    let waiting = state.withLock { state in
      state.changes += 1
      defer { state.waiting = [:] }
      return state.waiting.values.map(\.self)
    }
    for continuation in waiting { continuation.resume(returning: true) }
  }

  // MARK: What the test kit does

  /// Wakes the piece of work that is due first, and waits until it sleeps again, or its tree has settled.
  func wakeNext(in tree: FlowTree) async {
    let next = state.withLock { state in
      state.asleep.min { $0.value.due < $1.value.due }.flatMap { state.asleep.removeValue(forKey: $0.key) }
    }
    guard let next else { return }
    let changes = state.withLock(\.changes)
    next.resume.resume()
    // Usually, this is the only change, and the tree need not be asked.
    guard await change(after: changes), !isAsleep(next.work) else { return }
    await settle(tree)
  }

  /// Waits until all work of a tree is at rest, including the work that handlers start because of it, or until a
  /// ``watch(_:)`` gives up.
  func settle(_ tree: FlowTree) async {
    while true {
      let changes = state.withLock(\.changes)
      // The handlers of work that is done.
      await tree.finishTurns()
      await restAll(of: tree)
      if state.withLock(\.changes) == changes { return }
    }
  }

  private func restAll(of tree: FlowTree) async {
    while true {
      let changes = state.withLock(\.changes)
      let restless = await tree.awaitedWork.filter { work in !isAtRest(work) && !state.withLock { $0.restless.contains(work) } }
      if restless.isEmpty { return }
      guard await change(after: changes) else { return state.withLock { $0.restless.formUnion(restless) } }
    }
  }

  /// Wakes a piece of work, wherever it sleeps.
  func wake(_ work: WorkID) {
    let woken = state.withLock { state in
      let woken = state.asleep.filter { $0.value.work == work }
      for ticket in woken.keys { state.asleep[ticket] = nil }
      return woken.values.map(\.resume)
    }
    for continuation in woken { continuation.resume() }
  }

  /// Waits until all work of a tree that shows live values is at rest, or until a ``watch(_:)`` gives up.
  func rest(of tree: FlowTree) async {
    while true {
      let changes = state.withLock(\.changes)
      let reporting = await tree.reportingWork
      if reporting.allSatisfy({ isAtRest($0) }) { return }
      guard await change(after: changes) else { return }
    }
  }

  /// Waits until a piece of work sleeps or is done, or until a ``watch(_:)`` gives up.
  func rest(of work: WorkID) async {
    while true {
      let changes = state.withLock(\.changes)
      if isAtRest(work) { return }
      guard await change(after: changes) else { return }
    }
  }

  /// Gives up waiting, each time that nothing has changed for as long as the limit, until the task is cancelled.
  ///
  /// One task for many waits, because a simulated day has tens of thousands of them.
  func watch(_ limit: Duration) -> Task<Void, any Error> {
    Task {
      var last = state.withLock(\.changes)
      while true {
        try await Task.sleep(for: limit)
        let changes = state.withLock(\.changes)
        if changes == last { giveUp() }
        last = changes
      }
    }
  }

  private func giveUp() {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      return state.waiting.values.map(\.self)
    }
    for continuation in waiting { continuation.resume(returning: false) }
  }

  /// Returns whether a piece of work sleeps or is done.
  func isAtRest(_ work: WorkID) -> Bool {
    state.withLock { state in state.done.contains(work) || state.asleep.values.contains { $0.work == work } }
  }

  /// Waits for the next change, and returns whether there was one.
  private func change(after changes: UInt64) async -> Bool {
    let ticket = state.withLock { $0.nextTicket() }
    return await withCheckedContinuation { continuation in
      let hasChanged = state.withLock { state in
        if state.changes != changes { return true }
        state.waiting[ticket] = continuation
        return false
      }
      if hasChanged { continuation.resume(returning: true) }
    }
  }
}
