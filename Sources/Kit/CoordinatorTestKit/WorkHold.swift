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
  private struct State {
    var isHolding: Bool
    var done: [(id: WorkID, tell: @Sendable () -> Void)] = []
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let state: Lock<State>

  init(isHolding: Bool) { state = Lock(State(isHolding: isHolding)) }

  /// Takes the closure that notifies a coordinator of the end of its work.
  func hold(_ id: WorkID, _ tell: @escaping @Sendable () -> Void) {
    let (isHolding, waiting) = state.withLock { state in
      if state.isHolding { state.done.append((id, tell)) }
      defer { state.waiting = [] }
      return (state.isHolding, state.waiting)
    }
    for continuation in waiting { continuation.resume() }
    if !isHolding { tell() }
  }

  /// Delivers the result of the piece of work that was done first, after waiting for it if none is done yet. Its
  /// coordinator handles it a little later; wait for what that shows.
  public func release() async {
    while true {
      let first = state.withLock { $0.done.isEmpty ? nil : $0.done.removeFirst() }
      if let first { return first.tell() }
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          if state.done.isEmpty { state.waiting.append(continuation) }
          return !state.done.isEmpty
        }
        if isDone { continuation.resume() }
      }
    }
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
