import Synchronization

/// How long a call may keep the loop before others are served first.
package enum CallPace {
  /// In nanoseconds. Higher for a program that runs under an instrument, where everything takes long.
  package static let longest = Atomic<UInt64>(1_000_000)
}
