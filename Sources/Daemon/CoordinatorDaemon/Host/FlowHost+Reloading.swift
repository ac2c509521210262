import DBus

/// Applies a new configuration while flows are live. It applies to calls made from now on.
extension FlowHost {
  /// Applies the settings that can change. Settings that clients may rely on, and settings of the journal, stay as they
  /// are.
  ///
  /// - Parameter source: the source of the configuration. Its latest configuration is read here, because calls of this
  ///   method may overtake each other.
  func adoptConfiguration(from source: RunningHost) {
    guard let latest = source.configuration else { return }
    if configuration.providers != latest.providers {
      configuration.providers = latest.providers
      watchProviderFiles()
    }
    configuration.access = latest.access
    configuration.limits.adopt(latest.limits)
    configuration.handlerDeadline = latest.handlerDeadline
    if configuration.idleExit != latest.idleExit {
      configuration.idleExit = latest.idleExit
      idleTimeHasChanged()
    }
    roots.inputs.limits = configuration.limits
    connection.assumeIsolated { [limits = configuration.limits.ofMessages(on: configuration.bus)] in $0.limitCalls(limits) }
    handlerDeadlineHasChanged()
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
