import HashTreeCollections

/// The outcomes of the coordinators that ended most recently. Older ones are forgotten, because a tree may live for
/// years.
///
/// Copies share structure: a transition copies what it adds, not the whole ledger.
public struct OutcomeLedger: Sendable {
  /// The maximum number of outcomes.
  public static let capacity = 1_000

  private var outcomes: TreeDictionary<CoordinatorPath, Outcome> = [:]
  /// The paths by the order in which the coordinators ended, starting at 1.
  private var paths: TreeDictionary<UInt64, CoordinatorPath> = [:]
  private var last: UInt64 = 0

  /// Creates an empty ledger.
  public init() {}

  /// The number of outcomes.
  public var count: Int { outcomes.count }

  /// Whether the ledger is empty.
  public var isEmpty: Bool { outcomes.isEmpty }

  /// The outcome of a coordinator; nil if it is alive, never existed, or has been forgotten.
  public subscript(path: CoordinatorPath) -> Outcome? { outcomes[path] }

  /// The outcomes, in the order in which the coordinators ended.
  public var inOrder: [StoredOutcome] {
    guard last > 0 else { return [] }
    return (last - UInt64(paths.count) + 1...last).compactMap { number in
      paths[number].flatMap { path in outcomes[path].map { StoredOutcome(path: path, outcome: $0) } }
    }
  }

  /// Adds an outcome. Nothing is forgotten before ``forgetOldest()``, so the ledger contains all coordinators that one
  /// transition ended.
  mutating func record(_ outcome: Outcome, of path: CoordinatorPath) {
    // A path ends only once, but a damaged store may contain it twice.
    guard outcomes.updateValue(outcome, forKey: path) == nil else { return }
    last += 1
    paths[last] = path
  }

  /// Removes the oldest outcomes in excess of the capacity.
  mutating func forgetOldest() {
    while paths.count > Self.capacity {
      if let path = paths.removeValue(forKey: last - UInt64(paths.count) + 1) { outcomes[path] = nil }
    }
  }
}

extension OutcomeLedger {
  /// Creates a ledger from stored outcomes.
  ///
  /// - Parameter outcomes: the outcomes, in the order in which the coordinators ended.
  init(_ outcomes: [StoredOutcome]) {
    for outcome in outcomes.suffix(Self.capacity) { record(outcome.outcome, of: outcome.path) }
  }
}

extension OutcomeLedger: Equatable {
  /// Returns whether both contain the same outcomes in the same order.
  public static func == (one: OutcomeLedger, other: OutcomeLedger) -> Bool { one.inOrder == other.inOrder }
}
