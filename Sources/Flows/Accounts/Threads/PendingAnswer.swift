import Platform

/// An answer that one task waits for. The first answer given applies; later ones are ignored.
final class PendingAnswer<Product: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Product, any Error>)
    case given(Result<Product, any Error>)
    case done
  }

  private let state = Lock(State.open)

  /// Whether the answer has not been given and the waiting task has not been cancelled.
  var isWanted: Bool {
    state.withLock { state in
      switch state {
      case .open, .awaited: true
      case .given, .done: false
      }
    }
  }

  /// Gives the answer.
  func give(_ answer: Result<Product, any Error>) {
    let continuation: CheckedContinuation<Product, any Error>? = state.withLock { state in
      switch state {
      case .open:
        state = .given(answer)
        return nil
      case .awaited(let continuation):
        state = .done
        return continuation
      case .given, .done:
        return nil
      }
    }
    continuation?.resume(with: answer)
  }

  /// Waits for the answer. Call this once.
  ///
  /// - Returns: the answer.
  /// - Throws: the error that was given; `CancellationError` immediately if the task is cancelled.
  nonisolated(nonsending) func value() async throws -> Product {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let early: Result<Product, any Error>? = state.withLock { state in
          guard case .given(let answer) = state else {
            state = .awaited(continuation)
            return nil
          }
          state = .done
          return answer
        }
        if let early { continuation.resume(with: early) }
      }
    } onCancel: {
      give(.failure(CancellationError()))
    }
  }
}
