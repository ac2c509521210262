/// Counts wrong passwords in a row, and decides whether a password may be checked. A value without I/O: the caller
/// supplies the time, and stores the returned changes for the next run of the program.
///
/// A check in progress counts as a wrong password until its verdict is known. Five concurrent guesses are therefore
/// five guesses, and the sixth waits.
struct AttemptLedger: Sendable {
  /// Whether a password may be checked.
  enum Admission: Sendable {
    /// The password may be checked: call ``settle(_:isRight:at:)`` or ``giveBack(_:)`` afterwards.
    case check
    /// The password must not be checked: there were too many wrong passwords.
    case refuse
    /// Not yet: as many checks are in progress as there are guesses left. Ask again when one of them is settled or
    /// given back.
    case wait
  }

  /// The result of a check.
  struct Settlement: Sendable, Hashable {
    var verdict: Verdict
    /// The tallies that must be stored before the verdict is returned; a clean tally may be removed from the store.
    /// Empty if the check changed nothing.
    var changes: [AttemptName: AttemptTally]
  }

  private struct Entry {
    var tally = AttemptTally.clean
    var underWay = 0
    /// The sequence number of the last use.
    var lastUse: UInt64 = 0
  }

  private let limit: Int
  private let refusal: Duration
  private let capacity: Int
  private var entries: [AttemptName: Entry] = [:]
  /// The entries that were dropped but may still be stored.
  private var dropped: [AttemptName: AttemptTally] = [:]
  private var uses: UInt64 = 0

  /// Creates a ledger.
  ///
  /// - Parameters:
  ///   - limit: the number of wrong passwords in a row that causes refusal.
  ///   - refusal: the duration of the refusal.
  ///   - capacity: the maximum number of names without an account that are counted.
  init(limit: Int = 5, refusal: Duration = .seconds(30), capacity: Int = 1_000) {
    self.limit = limit
    self.refusal = refusal
    self.capacity = capacity
  }

  /// Requests a check. If the result is `.check`, one guess has been taken.
  mutating func admit(_ name: AttemptName, at now: Duration) -> Admission {
    var entry = entries[name] ?? Entry()
    if entry.tally.isRefused(at: now) { return .refuse }
    let wrong = entry.tally.isOver(at: now) ? 0 : entry.tally.wrong
    guard wrong + entry.underWay < limit else { return .wait }
    entry.underWay += 1
    entries[name] = entry
    return .check
  }

  /// Ends a check whose verdict was not returned to any caller, as if it had not been made.
  mutating func giveBack(_ name: AttemptName) {
    guard var entry = entries[name] else { return }
    entry.underWay = max(0, entry.underWay - 1)
    put(entry, for: name)
  }

  /// Ends a check, and returns the verdict.
  mutating func settle(_ name: AttemptName, isRight: Bool, at now: Duration) -> Settlement {
    var entry = entries[name] ?? Entry()
    entry.underWay = max(0, entry.underWay - 1)
    let before = entry.tally
    let verdict = verdict(&entry.tally, isRight: isRight, at: now)
    uses += 1
    entry.lastUse = uses
    put(entry, for: name)
    guard entry.tally != before else { return Settlement(verdict: verdict, changes: [:]) }
    forget(at: now)
    defer { dropped = [:] }
    return Settlement(verdict: verdict, changes: dropped.merging([name: entry.tally]) { $1 })
  }

  /// Adopts tallies from elsewhere: from an earlier run of the program, or from an administrator who edited the file.
  mutating func adopt(_ tallies: [AttemptName: AttemptTally], at now: Duration) {
    for (name, tally) in tallies {
      var entry = entries[name] ?? Entry()
      // Regardless of the contents of the file, at least one guess must be left, or the refusal must end within its regular
      // duration.
      entry.tally.wrong = min(max(tally.wrong, 0), limit - 1)
      entry.tally.refusedUntil = tally.refusedUntil.map { min($0, now + refusal) }
      put(entry, for: name)
    }
    forget(at: now)
  }

  private func verdict(_ tally: inout AttemptTally, isRight: Bool, at now: Duration) -> Verdict {
    // The tally was changed elsewhere in the meantime. A password that is refused does not extend the refusal.
    if tally.isRefused(at: now) { return .tooManyAttempts }
    if isRight {
      tally = .clean
      return .accepted
    }
    if tally.isOver(at: now) { tally = .clean }
    tally.wrong += 1
    guard tally.wrong >= limit else { return .wrong }
    tally = AttemptTally(wrong: 0, refusedUntil: now + refusal)
    return .tooManyAttempts
  }

  private mutating func put(_ entry: Entry, for name: AttemptName) {
    entries[name] = entry.tally == .clean && entry.underWay == 0 ? nil : entry
  }

  /// Drops expired entries, and names without an account in excess of the capacity.
  ///
  /// Names that are not being refused are dropped first, oldest first. This does not give an attacker extra guesses at
  /// a password, because users with an account are never dropped. By trying a thousand other names, an attacker can
  /// find out that a name has no account, at that cost per name.
  private mutating func forget(at now: Duration) {
    for (name, entry) in entries where entry.underWay == 0 && entry.tally.isOver(at: now) { drop(name) }
    let strangers = entries.filter { $0.key.isStranger && $0.value.underWay == 0 }
    guard strangers.count > capacity else { return }
    let refused = strangers.filter { $0.value.tally.isRefused(at: now) }
    let others = strangers.filter { !$0.value.tally.isRefused(at: now) }
    let order = [others, refused].flatMap { $0.sorted { $0.value.lastUse < $1.value.lastUse } }
    for (name, _) in order.prefix(strangers.count - capacity) { drop(name) }
  }

  private mutating func drop(_ name: AttemptName) {
    entries[name] = nil
    dropped[name] = .clean
  }
}

/// The number of wrong passwords in a row for one name.
struct AttemptTally: Sendable, Hashable {
  /// The number of wrong passwords since the last correct one.
  var wrong = 0
  /// The time until which all passwords are refused, after too many wrong ones.
  var refusedUntil: Duration?

  /// A tally without wrong passwords.
  static let clean = AttemptTally()

  /// Returns whether all passwords are refused.
  func isRefused(at now: Duration) -> Bool { refusedUntil.map { now < $0 } ?? false }

  /// Returns whether the refusal has ended, so that counting starts again from zero.
  func isOver(at now: Duration) -> Bool { refusedUntil.map { $0 <= now } ?? false }
}
