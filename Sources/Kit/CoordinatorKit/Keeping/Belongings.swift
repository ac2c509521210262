/// What a coordinator has besides its state: timers, secrets, and what its forms held.
struct Belongings: Sendable {
  /// The timers that have not gone off, in the order in which they were started.
  var timers: [TimerRecord] = []
  /// The secrets that the coordinator keeps, by name. Only the names are stored.
  var secrets: [String: Secret] = [:]
  /// The names of the secrets that a restart took, until the coordinator has been told.
  var lostSecrets: Set<String> = []
  /// What forms held when the user went back from them, by the name of their screens (rule 5); never a secret.
  var forms: [String: [String: JSONValue]] = [:]
  /// What the forms of the coordinator's screens held when they were sent; never a secret.
  var sent: [ScreenID: [String: JSONValue]] = [:]

  /// The ends of children that the coordinator has not been told of, because its provider gave no answer; oldest first.
  var childEnds: [ChildEndRecord] = []
  /// The name of the tree's language; only the root has one. A ``LanguageTag`` would take four times the memory.
  var language: String?

  /// The belongings of a coordinator that has none, as most.
  static let none = Belongings()

  var isEmpty: Bool {
    timers.isEmpty && secrets.isEmpty && lostSecrets.isEmpty && forms.isEmpty && sent.isEmpty && language == nil
      && childEnds.isEmpty
  }

  /// The approximate size of what the forms held, in bytes of memory.
  var formsSize: Int {
    forms.values.reduce(0) { $0 + JSONValue.object($1).roughSize } + sent.values.reduce(0) { $0 + JSONValue.object($1).roughSize }
  }
}

/// The end of a child of which its parent has not been told.
public struct ChildEndRecord: Sendable, Hashable, Codable {
  /// The child.
  public var child: Child
  /// How it ended.
  public var outcome: Outcome
}
