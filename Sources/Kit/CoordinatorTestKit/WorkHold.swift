import CoordinatorKit
import Platform

/// Holds back the results of a test flow's work until the test releases them.
///
/// ```swift
/// let flow = try await TestFlow.start("log-in", in: catalogue, holdingWork: true)
/// try await flow.send("submit", ["password": "secret"])
/// #expect(try await flow.top.content.progress != nil)
/// try await flow.work.release()
/// ```
public final class WorkHold: Sendable {
  private struct Waiter {
    let ticket: UInt64
    /// The work whose result is waited for; nil for any.
    let work: WorkID?
    let continuation: CheckedContinuation<(@Sendable () -> Void)?, Never>
  }

  private struct State {
    var isHolding: Bool
    var done: [(id: WorkID, tell: @Sendable () -> Void)] = []
    var waiting: [Waiter] = []
    var lastTicket: UInt64 = 0
  }
  private let state: Lock<State>

  init(isHolding: Bool) { state = Lock(State(isHolding: isHolding)) }

  /// Takes the closure that notifies a coordinator of the end of its work.
  func hold(_ id: WorkID, _ tell: @escaping @Sendable () -> Void) {
    let (isHolding, waiter) = state.withLock { state in
      let index = state.waiting.firstIndex { $0.work == nil || $0.work == id }
      let waiter = index.map { state.waiting.remove(at: $0) }
      if waiter == nil, state.isHolding { state.done.append((id, tell)) }
      return (state.isHolding, waiter)
    }
    if let waiter { waiter.continuation.resume(returning: tell) } else if !isHolding { tell() }
  }

  /// Delivers the result of the piece of work that was done first, after waiting for it if none is done yet. Its
  /// coordinator handles it a little later; wait for what that shows.
  public func release() async { _ = await letThrough(nil, within: nil) }

  /// Waits until a piece of work is done, and notifies its coordinator.
  ///
  /// - Parameters:
  ///   - id: the id of the work; nil for whichever is done first.
  ///   - patience: the time limit; nil for none.
  /// - Returns: whether the work was done in time.
  func letThrough(_ id: WorkID?, within patience: Duration?) async -> Bool {
    var deadline: Task<Void, any Error>?
    defer { deadline?.cancel() }
    let tell = await withCheckedContinuation { continuation in
      let (done, ticket) = state.withLock { state in
        if let index = state.done.firstIndex(where: { id == nil || $0.id == id }) {
          return (Optional(state.done.remove(at: index).tell), state.lastTicket)
        }
        state.lastTicket += 1
        state.waiting.append(Waiter(ticket: state.lastTicket, work: id, continuation: continuation))
        return (nil, state.lastTicket)
      }
      if let done { return continuation.resume(returning: done) }
      deadline = patience.map { patience in
        Task {
          try await Task.sleep(for: patience)
          giveUp(ticket)
        }
      }
    }
    tell?()
    return tell != nil
  }

  private func giveUp(_ ticket: UInt64) {
    let waiter = state.withLock { state in
      state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0) }
    }
    waiter?.continuation.resume(returning: nil)
  }

  /// Delivers all results, and those of work that ends later as soon as it does.
  public func open() {
    let done = state.withLock { state in
      state.isHolding = false
      defer { state.done = [] }
      return state.done
    }
    for work in done { work.tell() }
  }
}
