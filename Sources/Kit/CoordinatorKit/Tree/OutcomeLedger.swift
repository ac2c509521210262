import HashTreeCollections

/// How the coordinators of a tree did that have ended: the newest of them, since a tree may live for years.
///
/// Copies share what they have in common: a transition copies what it adds, not the ledger.
public struct OutcomeLedger: Sendable {
  /// How many are kept.
  public static let capacity = 1_000

  private var outcomes: TreeDictionary<CoordinatorPath, Outcome> = [:]
  /// The paths by the order in which their coordinators ended, counted from 1.
  private var paths: TreeDictionary<UInt64, CoordinatorPath> = [:]
  private var last: UInt64 = 0

  /// Nobody has ended.
  public init() {}

  /// How many are kept.
  public var count: Int { outcomes.count }

  /// Whether none is kept.
  public var isEmpty: Bool { outcomes.isEmpty }

  /// How a coordinator ended; nil if it lives, or never did, or has been forgotten.
  public subscript(path: CoordinatorPath) -> Outcome? { outcomes[path] }

  /// What is kept, in the order in which they ended.
  public var inOrder: [StoredOutcome] {
    guard last > 0 else { return [] }
    return (last - UInt64(paths.count) + 1...last).compactMap { number in
      paths[number].flatMap { path in outcomes[path].map { StoredOutcome(path: path, outcome: $0) } }
    }
  }

  /// Keeps how a coordinator ended. Nothing is forgotten before ``forgetOldest()``, so that all are there that one transition has ended.
  mutating func record(_ outcome: Outcome, of path: CoordinatorPath) {
    // No path ends twice; a damaged store may say anything.
    guard outcomes.updateValue(outcome, forKey: path) == nil else { return }
    last += 1
    paths[last] = path
  }

  /// Forgets the oldest if there are too many.
  mutating func forgetOldest() {
    while paths.count > Self.capacity {
      if let path = paths.removeValue(forKey: last - UInt64(paths.count) + 1) { outcomes[path] = nil }
    }
  }
}

extension OutcomeLedger {
  /// What a store has kept.
  ///
  /// - Parameter outcomes: in the order in which the coordinators ended.
  init(_ outcomes: [StoredOutcome]) {
    for outcome in outcomes.suffix(Self.capacity) { record(outcome.outcome, of: outcome.path) }
  }
}

extension OutcomeLedger: Equatable {
  /// Whether the same ones are kept in the same order.
  public static func == (one: OutcomeLedger, other: OutcomeLedger) -> Bool { one.inOrder == other.inOrder }
}
