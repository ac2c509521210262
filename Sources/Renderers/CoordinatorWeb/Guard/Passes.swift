/// The codes that admit browsers of other machines. Each admits one browser, and expires after ten minutes.
struct Passes: Sendable {
  /// A code and its purpose.
  struct Pass: Sendable, Hashable {
    let code: EntryCode
    /// The number that distinguishes the codes. It admits no browser.
    let number: Int
    /// The cookie of the session that requested the code; nil for the code that the server announces.
    let owner: Token?
    /// The flow tree to show first; nil for the first page.
    let tree: String?
    let expiry: ContinuousClock.Instant
  }

  /// The time for which a code can be used.
  static let lifetime = Duration.seconds(600)
  /// The maximum number of codes at a time that browsers have requested. Beyond it, the oldest code of the browser with the
  /// most codes becomes invalid. The announced one never does, because it is the only one that the user who started the server
  /// can see.
  static let maximumCount = 16

  private var passes: [Pass] = []
  /// The number of codes so far.
  private var count = 0

  /// Issues a code. It replaces the previous one of the same session for the same tree.
  ///
  /// - Parameters:
  ///   - tree: flow tree to show first; nil for the first page.
  ///   - owner: cookie of the session that requests the code; nil for the code that the server announces.
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

  /// The index of the oldest code of the browser with the most codes.
  private var mostDispensable: Int? {
    let counts = passes.reduce(into: [Token: Int]()) { if let owner = $1.owner { $0[owner, default: 0] += 1 } }
    guard let most = counts.values.max() else { return nil }
    return passes.firstIndex { $0.owner.map { counts[$0] == most } ?? false }
  }

  /// Invalidates the codes that a session has requested.
  mutating func revoke(of owner: Token) { passes.removeAll { $0.owner == owner } }

  /// Returns whether a code currently admits a browser.
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
