/// What a coordinator has besides its state: timers, secrets, and what its forms held.
struct Belongings: Sendable {
  /// The timers that have not gone off, in the order in which they were started.
  var timers: [TimerRecord] = []
  /// The secrets that the coordinator keeps, by name. Only the names are stored.
  var secrets: [String: Secret] = [:]
  /// The names of the secrets that a restart took, until the coordinator has been told.
  var lostSecrets: Set<String> = []
  /// What forms held that are not shown any more, by the name of their screens (rule 5).
  var forms: [String: HeldForm] = [:]

  var isEmpty: Bool { timers.isEmpty && secrets.isEmpty && lostSecrets.isEmpty && forms.isEmpty }

  /// The approximate size of what the forms held, in bytes of memory.
  var formsSize: Int { forms.values.reduce(0) { $0 + JSONValue.object($1.values).roughSize } }
}

/// A timer that has not gone off.
package struct TimerRecord: Sendable {
  /// The coordinator's own description of the timer.
  package let timer: any Codable & Hashable & Sendable
  /// The time at which it goes off.
  package let due: Timestamp

  func isSame(as other: some Hashable) -> Bool { AnyHashable(timer) == AnyHashable(other) }
}

/// What a form held when it was sent, or when the user went back from it; never a secret.
struct HeldForm: Sendable, Hashable, Codable {
  var values: [String: JSONValue]
  /// Whether the values were sent. If so, they are shown again only if the user goes back to the screen itself.
  var isSent: Bool
}
