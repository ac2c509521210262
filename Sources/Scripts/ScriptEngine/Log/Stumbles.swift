/// How often a script has failed on its way to its next operation, since it last got there or somebody had it tried again.
package struct Stumbles: Sendable, Hashable {
  package var count: UInt64
  /// Whether it does not fit its log, so that each run fails in the same way.
  package var isMisfit: Bool
  /// Why it has failed the last time, for its author.
  package var reason: String

  /// Creates a count.
  package init(count: UInt64, isMisfit: Bool = false, reason: String) {
    (self.count, self.isMisfit, self.reason) = (count, isMisfit, reason)
  }
}

extension ScriptLog {
  /// How often a script, or the process of one of its steps, may fail before the flow is held.
  package static let maxDeaths: UInt64 = 3

  /// A run that was slow has failed before its next operation.
  ///
  /// - Parameters:
  ///   - reason: why, for the script's author.
  ///   - isMisfit: whether the script does not fit its log.
  package mutating func hasStumbled(_ reason: String, isMisfit: Bool) {
    stumbles = Stumbles(
      count: (stumbles?.count ?? 0) + 1, isMisfit: isMisfit, reason: String(reason.unicodeScalars.prefix(2_000)))
  }

  /// Set if the script has failed as often as it may.
  package var lastStumble: Stumbles? { stumbles.flatMap { $0.isMisfit || $0.count >= Self.maxDeaths ? $0 : nil } }

  /// The step whose process has ended as often as it may; nil if there is none.
  package var deadStep: LogEntry? { entries.last { ($0.step?.deaths ?? 0) >= Self.maxDeaths } }

  /// Lets the script and all steps be tried again.
  package mutating func forgiveDeaths() {
    (stumbles, rounds) = (nil, 0)
    for index in entries.indices { entries[index].changeStep { $0.deaths = 0 } }
  }
}
