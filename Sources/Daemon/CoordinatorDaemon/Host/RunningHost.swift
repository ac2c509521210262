import Platform

/// Finds the host of a daemon while it runs, for what reaches it from outside.
final class RunningHost: Sendable {
  private struct State: Sendable {
    var host: FlowHost?
    /// What was read last, if anything was since the start.
    var configuration: DaemonConfiguration?
  }

  private let state = Lock(State())

  /// What a reload has read last; nil if there was none.
  var configuration: DaemonConfiguration? { state.withLock(\.configuration) }

  /// Whether there is a host that serves.
  var isServing: Bool { state.withLock { $0.host != nil } }

  /// The host is there, and serves. A reload that came before it holds from now on.
  func begin(_ host: FlowHost) async {
    state.withLock { $0.host = host }
    await host.adoptConfiguration(from: self)
  }

  /// The host is no more.
  func end() { state.withLock { $0.host = nil } }

  /// Another configuration is to hold.
  func reload(_ configuration: DaemonConfiguration) async {
    let host = state.withLock { state in
      state.configuration = configuration
      return state.host
    }
    await host?.adoptConfiguration(from: self)
  }
}
