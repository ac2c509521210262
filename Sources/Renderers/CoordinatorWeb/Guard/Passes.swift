/// The codes that let browsers of other machines in. Each lets one browser in, and expires after ten minutes.
struct Passes: Sendable {
  /// What a code is for.
  struct Pass: Sendable, Hashable {
    let code: EntryCode
    /// Tells the codes apart without letting anybody in.
    let number: Int
    /// The cookie of the session that has asked for the code; nil for the code that the server announces.
    let owner: Token?
    /// The flow tree to show first; nil for the first page.
    let tree: String?
    let expiry: ContinuousClock.Instant
  }

  /// How long a code can be used.
  static let lifetime = Duration.seconds(600)
  /// The maximum number of codes at a time that browsers have asked for; beyond it, the oldest one becomes invalid of
  /// the browser that has most. The announced one never does, because it is the only one that whoever started the server
  /// can see.
  static let maximumCount = 16

  private var passes: [Pass] = []
  /// The number of codes so far.
  private var count = 0

  /// Issues a code. It replaces the one that the same session has asked for before, for the same tree.
  ///
  /// - Parameters:
  ///   - tree: flow tree to show first; nil for the first page.
  ///   - owner: cookie of the session that asks for the code; nil for the code that the server announces.
  ///   - now: time of issue.
  /// - Returns: the code, which is valid from now on.
  mutating func issue(for tree: String?, by owner: Token?, at now: ContinuousClock.Instant) -> Pass {
    count += 1
    let pass = Pass(code: EntryCode(), number: count, owner: owner, tree: tree, expiry: now + Self.lifetime)
    passes.removeAll { $0.expiry <= now || ($0.owner == owner && $0.tree == tree) }
    if owner != nil, passes.count(where: { $0.owner != nil }) >= Self.maximumCount, let oldest = mostDispensable {
      passes.remove(at: oldest)
    }
    passes.append(pass)
    return pass
  }

  /// The position of the oldest code of the browser that has asked for most.
  private var mostDispensable: Int? {
    let counts = passes.reduce(into: [Token: Int]()) { if let owner = $1.owner { $0[owner, default: 0] += 1 } }
    guard let most = counts.values.max() else { return nil }
    return passes.firstIndex { $0.owner.map { counts[$0] == most } ?? false }
  }

  /// Makes the codes invalid that a session has asked for.
  mutating func revoke(of owner: Token) { passes.removeAll { $0.owner == owner } }

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
}
