/// The effective configuration of a host, which a reload changes. The parts of a host share one instance. Used only on the
/// host's executor.
final class HostSettings {
  /// The settings that a reload has changed and that have to be applied to parts of the host.
  struct Changes: Sendable, Hashable {
    var providers = false
    var idleExit = false
  }

  private(set) var configuration: DaemonConfiguration

  /// Creates settings from the configuration that the host starts with.
  init(_ configuration: DaemonConfiguration) { self.configuration = configuration }

  /// A reader of calls that applies the current limits.
  var reader: CallReader { CallReader(maxPayload: configuration.limits.maxPayload) }

  /// Whether the host serves on the system bus.
  var isSystem: Bool { configuration.bus == .system }

  /// Adopts the settings that can change. Settings that clients may rely on, and settings of the journal, stay as they
  /// are.
  ///
  /// - Parameter latest: the configuration that was read last.
  /// - Returns: which of them have changed.
  func adopt(_ latest: DaemonConfiguration) -> Changes {
    let changes = Changes(
      providers: configuration.providers != latest.providers, idleExit: configuration.idleExit != latest.idleExit)
    configuration.providers = latest.providers
    configuration.access = latest.access
    configuration.limits.adopt(latest.limits)
    configuration.handlerDeadline = latest.handlerDeadline
    configuration.idleExit = latest.idleExit
    return changes
  }
}

extension DaemonLimits {
  /// Adopts the limits that are not properties on the bus. According to the contract, those properties are constant.
  fileprivate mutating func adopt(_ latest: DaemonLimits) {
    maxCallsPerClient = latest.maxCallsPerClient
    maxCalls = latest.maxCalls
    maxCallBytesPerClient = latest.maxCallBytesPerClient
    maxCallBytes = latest.maxCallBytes
    maxInputBytesPerClient = latest.maxInputBytesPerClient
    maxInputBytes = latest.maxInputBytes
    maxRenderers = latest.maxRenderers
    maxAttachments = latest.maxAttachments
  }
}
