/// Counts wrong answers in a row, and says who may try again. A value without I/O: times are handed in, and what is to be kept for the
/// next run of the program is handed out.
///
/// A check that is under way counts like a wrong answer until its verdict is known. So five guesses at once are five guesses, and the
/// sixth waits.
struct AttemptLedger: Sendable {
  /// Whether a password may be checked.
  enum Admission: Sendable {
    /// It may: call ``settle(_:isRight:at:)`` or ``giveBack(_:)`` afterwards.
    case check
    /// No: there were too many wrong answers.
    case refuse
    /// Not yet: as many checks are under way as there are guesses left. Ask again when one of them is settled or given back.
    case wait
  }

  /// What a check came to.
  struct Settlement: Sendable, Hashable {
    var verdict: Verdict
    /// The tallies that have to be kept before the verdict is told; one that is clean need not be kept any longer. Empty if this
    /// check changed nothing.
    var changes: [AttemptName: AttemptTally]
  }

  private struct Entry {
    var tally = AttemptTally.clean
    var underWay = 0
    /// The higher, the later.
    var lastUse: UInt64 = 0
  }

  private let limit: Int
  private let refusal: Duration
  private let capacity: Int
  private var entries: [AttemptName: Entry] = [:]
  /// What was dropped and is still kept elsewhere.
  private var dropped: [AttemptName: AttemptTally] = [:]
  private var uses: UInt64 = 0

  /// - Parameters:
  ///   - limit: how many wrong answers in a row are too many.
  ///   - refusal: how long no answer is looked at then.
  ///   - capacity: for how many names that nobody has wrong answers are counted.
  init(limit: Int = 5, refusal: Duration = .seconds(30), capacity: Int = 1_000) {
    self.limit = limit
    self.refusal = refusal
    self.capacity = capacity
  }

  /// Asks for a check. If it is `.check`, a guess has been taken.
  mutating func admit(_ name: AttemptName, at now: Duration) -> Admission {
    var entry = entries[name] ?? Entry()
    if entry.tally.isRefused(at: now) { return .refuse }
    let wrong = entry.tally.isOver(at: now) ? 0 : entry.tally.wrong
    guard wrong + entry.underWay < limit else { return .wait }
    entry.underWay += 1
    entries[name] = entry
    return .check
  }

  /// Ends a check that nobody was told the answer of: it is as if it had not been.
  mutating func giveBack(_ name: AttemptName) {
    guard var entry = entries[name] else { return }
    entry.underWay = max(0, entry.underWay - 1)
    put(entry, for: name)
  }

  /// Ends a check, and says what to answer.
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

  /// Takes over what was counted elsewhere: in an earlier run of the program, or by an admin who edited the file.
  mutating func adopt(_ tallies: [AttemptName: AttemptTally], at now: Duration) {
    for (name, tally) in tallies {
      var entry = entries[name] ?? Entry()
      // Whatever was written: there is always a guess left, or an end to refusing that is not far.
      entry.tally.wrong = min(max(tally.wrong, 0), limit - 1)
      entry.tally.refusedUntil = tally.refusedUntil.map { min($0, now + refusal) }
      put(entry, for: name)
    }
    forget(at: now)
  }

  private func verdict(_ tally: inout AttemptTally, isRight: Bool, at now: Duration) -> Verdict {
    // Somebody else counted meanwhile: an answer that was not looked at extends nothing.
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

  /// Drops what has lost its meaning, and of the names that nobody has those that are too many.
  ///
  /// Those go first that nobody is refused for, oldest first. That wins nobody a guess at a password, since users who exist are never
  /// dropped. Who asks for a thousand other names can tell afterwards, at that price for each name, that a name is nobody's.
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
