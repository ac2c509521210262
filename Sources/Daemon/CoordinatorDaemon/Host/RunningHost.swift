import Platform

/// Gives code outside the host access to the host of a daemon while it runs.
final class RunningHost: Sendable {
  private struct State: Sendable {
    var host: FlowHost?
    /// The configuration that was read last; nil if there was no reload since the start.
    var configuration: DaemonConfiguration?
  }

  private let state = Lock(State())

  /// The configuration that the last reload read; nil if there was none.
  var configuration: DaemonConfiguration? { state.withLock { $0.configuration } }

  /// Whether a host is serving.
  var isServing: Bool { state.withLock { $0.host != nil } }

  /// Sets the host, which is serving, and applies a configuration that was reloaded before.
  func begin(_ host: FlowHost) async {
    state.withLock { $0.host = host }
    await host.adoptConfiguration(from: self)
  }

  /// Removes the host.
  func end() { state.withLock { $0.host = nil } }

  /// Sets a new configuration, and applies it to the host if there is one, which then reads its provider files again.
  func reload(_ configuration: DaemonConfiguration) async {
    let host = state.withLock { state in
      state.configuration = configuration
      return state.host
    }
    await host?.adoptConfiguration(from: self)
    await host?.readProviderFiles()
  }
}
