/// The codes that let browsers of other machines in. Each lets one browser in, and expires after ten minutes.
struct Passes: Sendable {
  /// What a code is for.
  struct Pass: Sendable, Hashable {
    let code: EntryCode
    /// The flow tree to show first; nil for the first page.
    let tree: String?
    let expiry: ContinuousClock.Instant
  }

  /// How long a code can be used.
  static let lifetime = Duration.seconds(600)
  /// The maximum number of codes at a time; beyond it, the oldest one becomes invalid.
  static let maximumCount = 16

  private var passes: [Pass] = []

  /// Issues a code.
  mutating func issue(for tree: String?, at now: ContinuousClock.Instant) -> Pass {
    let pass = Pass(code: EntryCode(), tree: tree, expiry: now + Self.lifetime)
    passes.removeAll { $0.expiry <= now }
    if passes.count >= Self.maximumCount { passes.removeFirst() }
    passes.append(pass)
    return pass
  }

  /// Whether a code lets a browser in at the moment.
  func knows(_ code: String, at now: ContinuousClock.Instant) -> Bool {
    passes.contains { $0.code.matches(code) && $0.expiry > now }
  }

  /// Uses up a code.
  ///
  /// - Returns: the pass; nil if there is none with this code, or if it has expired.
  mutating func use(_ code: String, at now: ContinuousClock.Instant) -> Pass? {
    guard let index = passes.firstIndex(where: { $0.code.matches(code) }) else { return nil }
    let pass = passes.remove(at: index)
    return pass.expiry > now ? pass : nil
  }

  /// Makes a code invalid.
  mutating func withdraw(_ pass: Pass) { passes.removeAll { $0 == pass } }
}
