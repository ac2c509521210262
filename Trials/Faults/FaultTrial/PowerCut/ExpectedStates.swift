/// The states that may be on a disk after a power cut, derived from all changes that happened.
///
/// A value type that judges.
struct ExpectedStates: Sendable {
  /// The known states of a tree.
  struct Tree: Sendable {
    /// The states of the tree: first unknown, then after each call.
    var states: [StoredState] = [.unknown]
    /// The number of the newest record when each call was answered.
    var positions: [UInt64] = []
    /// The revision after each call.
    var revisions: [UInt64] = []
  }

  /// The trees by token.
  var trees: [String: Tree] = [:]
  /// The transitions, oldest first.
  var history: [StoredStates.Step] = []

  /// Judges the contents of a journal.
  ///
  /// - Parameters:
  ///   - found: the contents of the journal.
  ///   - position: the number of the newest record before the power cut.
  ///   - isDurable: whether acknowledged calls must be stored, or may have been undone.
  /// - Returns: the number of stored calls, for each tree.
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
    // One more call may be stored without having been answered.
    guard count <= acknowledged + 1 else {
      throw FaultViolation(.doneTwice, of: token, expected: "\(acknowledged) calls, or one more", found: "\(count) calls")
    }
    return count
  }
}
