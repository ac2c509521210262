import CoordinatorJournal
import CoordinatorKit

/// The contents of a journal about a tree.
enum StoredState: Sendable, Hashable {
  case unknown
  case live(StoredRoot, StoredTree)
  case ended(root: StoredRoot, Outcome, requests: Set<StoredRequest>)
}

/// The contents of a journal.
struct StoredStates: Sendable {
  /// The error for a journal that cannot be restored in its current state.
  struct Unusable: Error {
    let reason: String
  }

  /// A transition, as recorded in the history.
  struct Step: Sendable, Hashable {
    var tree: String
    var revision: UInt64
  }

  /// The trees by token.
  var trees: [String: StoredState] = [:]
  /// The transitions, oldest first.
  var history: [Step] = []

  /// Creates the contents of an empty journal.
  init() {}

  /// Reads a state directory with the library that the daemon uses.
  ///
  /// - Throws: ``Unusable``; `JournalError`.
  init(_ directory: String) async throws {
    let journal = try Journal(
      JournalConfiguration(directory: directory, sync: .off, maxOutcomes: 1_000_000, maxHistory: Int(UInt32.max)))
    do {
      try await read(journal)
      journal.close()
    } catch {
      journal.close()
      throw error
    }
    history = try HistoryReader(directory: directory).page().entries.map {
      Step(tree: String($0.root.root), revision: $0.revision)
    }
  }

  private mutating func read(_ journal: Journal) async throws {
    let roots = try await journal.roots()
    if let notice = journal.notices.first { throw Unusable(reason: notice.description) }
    if let damaged = roots.damaged.first { throw Unusable(reason: "\(damaged)") }
    for end in roots.ended { trees[end.root.name] = .ended(root: end.root, end.outcome, requests: Set(end.requests)) }
    let readings = try await journal.trees(of: roots.live)
    for root in roots.live {
      guard case .whole(let tree)? = readings[root.name] else {
        throw Unusable(reason: "\(root.name): \(readings[root.name].map { "\($0)" } ?? "not there")")
      }
      trees[root.name] = .live(root, tree.sorted)
    }
  }
}

extension StoredTree {
  /// The same tree, with its unordered rows sorted.
  fileprivate var sorted: StoredTree {
    var tree = self
    tree.coordinators.sort { "\($0.path)" < "\($1.path)" }
    tree.screens.sort { $0.id < $1.id }
    tree.requests.sort { $0.number < $1.number }
    return tree
  }
}
