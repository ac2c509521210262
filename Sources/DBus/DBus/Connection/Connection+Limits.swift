extension Connection {
  /// Sets how many incoming calls may wait for their answer from now on, and how much memory they may use. Calls that
  /// already wait are not refused retroactively. The other limits are not changed.
  public func limitCalls(_ limits: MessageLimits) { callLines.limits = limits }
}
