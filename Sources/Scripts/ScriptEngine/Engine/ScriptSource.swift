/// Where a script's values come from that are different each time.
package struct ScriptSource: Sendable {
  /// The time, in microseconds since 1970.
  package var now: UInt64
  /// A number from 0 to 1.
  package var random: @Sendable () -> Double
  /// A UUID of version 4.
  package var uuid: @Sendable () -> String

  /// Creates a source.
  package init(
    now: UInt64, random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }, uuid: @escaping @Sendable () -> String
  ) {
    (self.now, self.random, self.uuid) = (now, random, uuid)
  }
}
