/// What may be on a disk after a power cut, known from all that really was.
///
/// A value that judges.
struct ExpectedStates: Sendable {
  /// What is known of a tree.
  struct Tree: Sendable {
    /// How it stood, at first nowhere, then after each call.
    var states: [StoredState] = [.unknown]
    /// When each call was answered.
    var positions: [UInt64] = []
    /// The revision after each.
    var revisions: [UInt64] = []
  }

  /// By token.
  var trees: [String: Tree] = [:]
  /// What was done, oldest first.
  var history: [StoredStates.Step] = []

  /// Compares with what was found.
  ///
  /// - Parameters:
  ///   - found: What a journal has.
  ///   - position: The newest record when the power was cut.
  ///   - isDurable: Whether what was acknowledged has to be there, or may be taken back.
  /// - Returns: For each tree, how many of its calls are there.
  /// - Throws: ``FaultViolation``.
  func check(_ found: StoredStates, at position: UInt64, isDurable: Bool) throws(FaultViolation) -> [String: Int] {
    if let stranger = found.trees.keys.sorted().first(where: { trees[$0] == nil }) {
      throw FaultViolation(.doneTwice, of: stranger, expected: "no such tree", found: "one")
    }
    var counts: [String: Int] = [:]
    for token in trees.keys.sorted() {
      guard let tree = trees[token] else { continue }
      counts[token] = try Self.count(of: token, tree, found.trees[token] ?? .unknown, at: position, isDurable)
    }
    guard found.history.elementsEqual(history.prefix(found.history.count)) else {
      throw FaultViolation(
        .other, of: "the history", expected: "the first \(found.history.count) transitions",
        found: "others: \(found.history.suffix(5))")
    }
    let done = Dictionary(grouping: found.history, by: \.tree).mapValues { $0.map(\.revision) }
    for (token, count) in counts.sorted(by: { $0.key < $1.key }) {
      let (expected, told) = (Array(trees[token]?.revisions.prefix(count) ?? []), done[token] ?? [])
      guard told != expected else { continue }
      throw FaultViolation(.other, of: token, expected: "in the history \(expected)", found: "\(told)")
    }
    return counts
  }

  private static func count(
    of token: String, _ tree: Tree, _ found: StoredState, at position: UInt64, _ isDurable: Bool
  ) throws(FaultViolation) -> Int {
    let acknowledged = tree.positions.prefix { $0 <= position }.count
    guard let count = tree.states.lastIndex(of: found) else {
      throw FaultViolation(
        .other, of: token, expected: "a state that it really had, after \(acknowledged) calls", found: "\(found)")
    }
    if isDurable, count < acknowledged {
      throw FaultViolation(.lost, of: token, expected: "\(acknowledged) calls", found: "\(count) calls")
    }
    // One more may be stored, and not answered yet.
    guard count <= acknowledged + 1 else {
      throw FaultViolation(.doneTwice, of: token, expected: "\(acknowledged) calls, or one more", found: "\(count) calls")
    }
    return count
  }
}
