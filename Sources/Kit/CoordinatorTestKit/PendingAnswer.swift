import CoordinatorKit
import Platform

/// The answer to a call that a test has made without waiting for it; see ``TestFlow/post(_:key:)``.
public final class PendingAnswer: Sendable {
  private struct State {
    var result: Result<TreeAnswer, CallError>?
    var waiting: [CheckedContinuation<Result<TreeAnswer, CallError>, Never>] = []
  }
  private let state = Lock(State())

  func resolve(_ result: Result<TreeAnswer, CallError>) {
    let waiting = state.withLock { state in
      state.result = result
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: result) }
  }

  /// The answer, after the transition was published.
  ///
  /// - Throws: `CallError` if the call is refused or a coordinator fails.
  public var value: TreeAnswer {
    get async throws(CallError) {
      try await withCheckedContinuation { continuation in
        let result = state.withLock { state in
          if state.result == nil { state.waiting.append(continuation) }
          return state.result
        }
        if let result { continuation.resume(returning: result) }
      }.get()
    }
  }
}
