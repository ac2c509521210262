import Synchronization

/// The time for which a call may occupy the loop before other senders are served first.
package enum CallPace {
  /// The time in nanoseconds. Increase it for a program under an instrument that slows down all code.
  package static let longest = Atomic<UInt64>(1_000_000)
}
