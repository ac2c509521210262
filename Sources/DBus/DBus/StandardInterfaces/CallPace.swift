import Synchronization

/// How long a call may occupy the loop before other senders are served first.
package enum CallPace {
  /// The time in nanoseconds. Increase it for a program that runs under an instrument that slows everything down.
  package static let longest = Atomic<UInt64>(1_000_000)
}
