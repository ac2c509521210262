extension StoredTree {
  /// Creates a tree from its first change.
  ///
  /// - Parameter change: the change of the transition that started the tree.
  public init(startedBy change: StoredChange) {
    self.init(root: change.root, counters: change.counters)
    apply(change)
  }

  /// Applies a change. This is what every store must do, regardless of its format.
  ///
  /// - Parameter change: the change of the next transition of this tree.
  public mutating func apply(_ change: StoredChange) {
    counters = change.counters
    let changed = Set(change.coordinators.map(\.path))
    let gone = Set(change.ended.map(\.path))
    coordinators.removeAll { changed.contains($0.path) || gone.contains($0.path) }
    coordinators += change.coordinators
    outcomes += change.ended.filter { $0.path != root }.map { StoredOutcome(path: $0.path, outcome: $0.outcome) }
    outcomes.removeFirst(max(0, outcomes.count - OutcomeLedger.capacity))
    let replaced = Set(change.screens.map(\.id) + change.dismissed)
    screens.removeAll { replaced.contains($0.id) }
    screens += change.screens
    if let request = change.request {
      requests.removeAll { $0.key == request.key || $0.number + UInt64(RequestLedger.capacity) <= request.number }
      requests.append(request)
    }
  }
}
