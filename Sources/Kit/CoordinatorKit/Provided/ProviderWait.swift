import Platform

/// What a tree does while it waits for a provider: it looks whether there is an answer, or an event that does not wait.
/// May be used from any thread.
final class ProviderWait: Sendable {
  private struct State: Sendable {
    var hasAnswer = false
    var hasNews = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Lock(State())

  /// Whether the provider has answered.
  var hasAnswer: Bool { state.withLock { $0.hasAnswer } }

  /// Ends the wait.
  func end() { wake { $0.hasAnswer = true } }

  /// Lets the tree look.
  func look() { wake { _ in } }

  /// Waits until there is an answer, or something to look at.
  func news() async {
    await withCheckedContinuation { continuation in
      let isDue = state.withLock { state in
        defer { state.hasNews = false }
        if state.hasNews { return true }
        state.waiting = continuation
        return false
      }
      if isDue { continuation.resume() }
    }
  }

  private func wake(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      if state.waiting == nil { state.hasNews = true }
      return state.waiting.take()
    }
    waiting?.resume()
  }
}
