extension Connection {
  /// Sets how many calls of others may wait for their answer from now on, and how much memory they may take up. What waits already is not
  /// refused any more. The other limits stay as they were.
  public func limitCalls(_ limits: MessageLimits) { callLines.limits = limits }
}
