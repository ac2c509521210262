/// What a coordinator has besides its state and its work, in stored form. Secrets are not stored.
public struct StoredBelongings: Sendable, Hashable, Codable {
  /// A timer that has not gone off.
  public struct StoredTimer: Sendable, Hashable, Codable {
    /// The coordinator's encoded description of the timer.
    public var timer: String
    /// When it goes off; of a duration, by the wall clock as it was when that began.
    public var due: Timestamp
    /// The duration after which it goes off; nil for a time by the wall clock. Older versions do not read it.
    package var lapse: Lapse?
  }

  /// The timers, in the order in which they were started.
  public var timers: [StoredTimer]?
  /// The names of the secrets that were kept in memory, sorted.
  public var secrets: [String]?
  /// What the form of a screen held when it was sent.
  public struct StoredSent: Sendable, Hashable, Codable {
    /// The screen.
    public var screen: ScreenID
    /// The values, by field.
    public var values: [String: JSONValue]
  }

  /// What forms held when the user went back from them, by the name of their screens.
  public var forms: [String: [String: JSONValue]]?
  /// What the forms of its screens held when they were sent.
  public var sent: [StoredSent]?
  /// The ends of children of which the coordinator has not been told, oldest first.
  public var childEnds: [ChildEndRecord]?
  /// The name of the tree's language; only the root has one.
  public var language: String?
}

extension StoredBelongings {
  /// Creates the stored form; nil if there is nothing to store.
  init?(_ belongings: Belongings) throws {
    guard !belongings.isEmpty else { return nil }
    if !belongings.timers.isEmpty {
      timers = try belongings.timers.map { StoredTimer(timer: try StoredText.encode($0.timer), due: $0.due, lapse: $0.lapse) }
    }
    // A coordinator that has not been told yet which secrets are gone is told after the next restart.
    let names = belongings.lostSecrets.union(belongings.secrets.keys)
    if !names.isEmpty { secrets = names.sorted() }
    if !belongings.forms.isEmpty { forms = belongings.forms }
    if !belongings.childEnds.isEmpty { childEnds = belongings.childEnds }
    language = belongings.language
    if !belongings.sent.isEmpty {
      sent = belongings.sent.sorted { $0.key < $1.key }.map { StoredSent(screen: $0.key, values: $0.value) }
    }
  }
}

extension Belongings {
  /// Creates what is left after a restart.
  ///
  /// - Parameters:
  ///   - stored: the stored form.
  ///   - timers: the descriptions of the timers, as many as were stored.
  ///   - start: the start of the machine that durations go on after.
  init(_ stored: StoredBelongings, timers: [any Codable & Hashable & Sendable], since start: MachineStart) {
    self.timers = zip(stored.timers ?? [], timers).map { stored, timer in
      let lapse = stored.lapse.map { Lapse(continuing: $0, of: 0, due: stored.due.microseconds, since: start) }
      return TimerRecord(timer: timer, due: stored.due, lapse: lapse)
    }
    lostSecrets = Set(stored.secrets ?? [])
    forms = stored.forms ?? [:]
    childEnds = stored.childEnds ?? []
    language = stored.language
    sent = Dictionary((stored.sent ?? []).map { ($0.screen, $0.values) }, uniquingKeysWith: { $1 })
  }
}
