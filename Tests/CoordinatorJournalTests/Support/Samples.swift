@testable import CoordinatorJournal
@testable import CoordinatorKit

extension StoredRoot {
  static func sample(_ name: String, _ sequence: UInt64, lastNumber: UInt64? = nil) -> StoredRoot {
    StoredRoot(
      name: name, sequence: sequence, lastNumber: lastNumber ?? sequence, flow: "counter", digest: Digest(of: "counter", name),
      hasToken: false)
  }
}

extension StoredChange {
  /// Returns a change of a tree with one coordinator.
  static func sample(
    _ name: String, revision: UInt64, state: String = "{}", request: UInt64? = nil, outcome: Outcome? = nil,
    occasion: Occasion? = nil
  ) -> StoredChange {
    let root = CoordinatorPath(root: name)
    let coordinator = StoredCoordinator(
      path: root, flow: "counter", version: 1, input: "{}", router: .navigation, startedAt: 0, lastChild: 0, state: state,
      work: [])
    return StoredChange(
      root: root, isStart: revision == 1, counters: .init(revision: revision, lastScreen: 0, lastWork: 0),
      coordinators: outcome == nil ? [coordinator] : [],
      ended: outcome.map { [EndedCoordinator(path: root, flow: "counter", outcome: $0)] } ?? [], screens: [], dismissed: [],
      request: request.map { StoredRequest(key: "key-\($0)", number: $0, entry: "{}") }, time: revision,
      occasion: occasion ?? Occasion(.delegate, coordinator: root, name: "count", caller: Caller(user: 1_000, name: ":1.7")))
  }
}

extension Journal {
  /// Stores a change of a tree.
  func store(_ change: StoredChange, of root: StoredRoot) async throws(JournalError) {
    try await commits.store(root.sequence, isEnd: change.outcome != nil) {
      change.isStart ? .start(root, change) : .change(change)
    }
  }

  /// Stores the start of a tree.
  func start(_ root: StoredRoot) async throws(JournalError) { try await store(.sample(root.name, revision: 1), of: root) }

  /// Stores the end of a tree.
  func end(_ root: StoredRoot) async throws(JournalError) {
    try await store(.sample(root.name, revision: 2, outcome: .cancelled), of: root)
  }

  /// Returns the tree of a live root, if it is undamaged.
  func tree(of root: StoredRoot) async throws -> StoredTree? { try await wholeTrees(of: [root])[root.name] }

  /// Returns the undamaged trees of live roots.
  func wholeTrees(of roots: [StoredRoot]) async throws -> [String: StoredTree] {
    try await trees(of: roots).compactMapValues { if case .whole(let tree) = $0 { tree } else { nil } }
  }
}
