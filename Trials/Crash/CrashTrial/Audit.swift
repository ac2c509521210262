import CoordinatorBus
import CoordinatorClient
import CoordinatorJournal
import SQLite

/// The checks that concern all trees together, made at the end of a trial.
package struct Audit {
  /// The ledgers of all trees.
  let ledgers: [TreeLedger]

  /// Compares the live flows with the expected ones: none may be missing, and none may have been started twice.
  ///
  /// - Parameter daemon: the daemon.
  /// - Throws: ``Violation``; `ClientError`.
  func checkLive(_ daemon: DaemonClient) async throws {
    let live = try await daemon.manager.listActive().map { "\($0.coordinator.string) \($0.token ?? "") \($0.flow)" }.sorted()
    let expected = try ledgers.filter { $0.told.window != nil }
      .map { "\(try Contract.flowPath(root: $0.token).string) \($0.token) \($0.flow)" }.sorted()
    guard live != expected else { return }
    throw Violation(live.count > expected.count ? .doneTwice : .lost, tree: "all", told: "\(expected)", found: "\(live)")
  }

  /// Compares the history with the acknowledged transitions: it must contain each of them once, in order, and nothing
  /// else.
  ///
  /// - Parameter directory: the state directory.
  /// - Returns: the violations.
  /// - Throws: `JournalError`.
  func historyViolations(in directory: String) throws -> [Violation] {
    let entries = try HistoryReader(directory: directory).page().entries
    let stored = Dictionary(grouping: entries) { String($0.root.root) }.mapValues { $0.map(\.revision) }
    let known = Set(ledgers.map(\.token))
    let strangers = stored.keys.filter { !known.contains($0) }.sorted().map {
      Violation(.doneTwice, tree: $0, told: "nothing", found: "it is in the history")
    }
    return strangers
      + ledgers.compactMap { ledger in
        let revisions = stored[ledger.token] ?? []
        guard revisions != ledger.revisions else { return nil }
        let surplus = revisions.count - ledger.revisions.count
        let kind: Violation.Kind = if surplus < 0 { .lost } else if surplus > 0 { .doneTwice } else { .different }
        return Violation(kind, tree: ledger.token, told: "revisions \(ledger.revisions)", found: "in the history \(revisions)")
      }
  }

  /// Runs SQLite's integrity check, which reads every page of the database.
  ///
  /// - Parameter directory: the state directory.
  /// - Throws: ``Violation``; `SQLiteError`.
  package static func checkIntegrity(in directory: String) throws {
    let answer = try SQLiteDatabase(path: "\(directory)/journal.sqlite", .readOnly).rows("PRAGMA integrity_check") {
      try $0.text(0)
    }
    guard answer != ["ok"] else { return }
    throw Violation(.different, tree: "the database", told: "ok", found: "\(answer)")
  }
}
