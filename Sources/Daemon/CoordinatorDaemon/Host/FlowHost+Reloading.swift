import DBus

/// Another configuration while flows live: it holds for what is called from then on.
extension FlowHost {
  /// Takes over what can change. What clients may rely on, or what is kept, stays as it was.
  ///
  /// - Parameter source: tells the latest one when it is this one's turn.
  func adoptConfiguration(from source: RunningHost) {
    guard let latest = source.configuration else { return }
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
  /// Takes over the limits that are no properties on the bus: those are constant, as the contract says.
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
