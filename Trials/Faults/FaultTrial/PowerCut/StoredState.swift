import CoordinatorJournal
import CoordinatorKit

/// All that a journal has of a tree.
enum StoredState: Sendable, Hashable {
  case unknown
  case live(StoredRoot, StoredTree)
  case ended(root: StoredRoot, Outcome, requests: Set<StoredRequest>)
}

/// All that a journal has.
struct StoredStates: Sendable {
  /// A journal that cannot be taken up as it is.
  struct Unusable: Error {
    let reason: String
  }

  /// A transition, as the history tells of it.
  struct Step: Sendable, Hashable {
    var tree: String
    var revision: UInt64
  }

  /// The trees that it knows, by token.
  var trees: [String: StoredState] = [:]
  /// What was done, oldest first.
  var history: [Step] = []

  /// Nothing.
  init() {}

  /// Reads a directory as a daemon does, with the same library.
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
  /// The same tree, with what comes in any order in one order.
  fileprivate var sorted: StoredTree {
    var tree = self
    tree.coordinators.sort { "\($0.path)" < "\($1.path)" }
    tree.screens.sort { $0.id < $1.id }
    tree.requests.sort { $0.number < $1.number }
    return tree
  }
}
