import CoordinatorKit
import GRDB

/// Writes what transitions change. Called in a database transaction, which the whole of a change is in.
struct TreeWriter {
  let db: Database
  let limits: JournalConfiguration

  /// Writes the first change of a tree, which has started.
  func start(_ root: StoredRoot, _ change: StoredChange) throws {
    // A token whose root was forgotten may be used again.
    for row in try db.rows("SELECT id FROM tree WHERE name = ? AND end_number IS NOT NULL", [root.name]) {
      try forget("(?)", [try row.number(0).column])
    }
    let counters = change.counters
    try db.run(
      """
      INSERT INTO tree (id, name, flow, digest, has_token, owner, owner_bus, deadline, revision, last_screen, last_work)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        root.sequence.column, root.name, root.flow, try StoredText.encode(root.digest), root.hasToken, root.owner?.name,
        root.owner?.bus, root.deadline?.column, counters.revision.column, counters.lastScreen.column, counters.lastWork.column,
      ])
    try db.run(
      "UPDATE counter SET value = ?1 WHERE name = 'root-number' AND value < ?1", [root.lastNumber.column])
    try write(change, of: root.sequence.column)
  }

  /// Writes a change of a tree that was started.
  func apply(_ change: StoredChange, to tree: UInt64) throws {
    let counters = change.counters
    try db.run(
      "UPDATE tree SET revision = ?, last_screen = ?, last_work = ? WHERE id = ?",
      [counters.revision.column, counters.lastScreen.column, counters.lastWork.column, tree.column])
    // Otherwise the rest would be kept of nothing.
    guard db.changesCount == 1 else { throw JournalError.database("the flow was never stored") }
    try write(change, of: tree.column)
  }

  private func write(_ change: StoredChange, of tree: Int64) throws {
    if let request = change.request { try write(request, of: tree) }
    if let outcome = change.outcome {
      try end(tree, outcome)
    } else {
      for coordinator in change.coordinators { try write(coordinator, of: tree) }
      for ended in change.ended { try write(ended, of: tree) }
      for screen in change.screens { try write(screen, of: tree) }
      for id in change.dismissed { try db.run("DELETE FROM screen WHERE tree = ? AND id = ?", [tree, id.number.column]) }
    }
    try HistoryWriter(db: db, limit: limits.maxHistory).write(change)
  }

  // MARK: Rows

  private func write(_ coordinator: StoredCoordinator, of tree: Int64) throws {
    let work = coordinator.work.isEmpty ? nil : try StoredText.encode(coordinator.work)
    try db.run(
      """
      INSERT INTO coordinator (tree, path, flow, version, input, router, started_at, last_child, state, work)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (tree, path) DO UPDATE SET
        version = excluded.version, input = excluded.input, last_child = excluded.last_child, state = excluded.state, work = excluded.work
      """,
      [
        tree, coordinator.path.text, coordinator.flow, coordinator.version, coordinator.input, coordinator.router.rawValue,
        coordinator.startedAt.column, coordinator.lastChild.column, coordinator.state, work,
      ])
  }

  private func write(_ ended: EndedCoordinator, of tree: Int64) throws {
    try db.run("DELETE FROM coordinator WHERE tree = ? AND path = ?", [tree, ended.path.text])
    try db.run(
      "INSERT OR REPLACE INTO child_outcome (tree, path, outcome) VALUES (?, ?, ?)",
      [tree, ended.path.text, try StoredText.encode(ended.outcome)])
  }

  private func write(_ screen: StoredScreen, of tree: Int64) throws {
    let attached = screen.attached.isEmpty ? nil : try StoredText.encode(screen.attached)
    let draft = screen.draft.isEmpty ? nil : try StoredText.encode(screen.draft)
    try db.run(
      """
      INSERT OR REPLACE INTO screen (tree, id, coordinator, route, style, layer, attached, draft, changed_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        tree, screen.id.number.column, screen.coordinator.text, screen.route, screen.style.rawValue, Int64(screen.layer),
        attached, draft, screen.changedAt.column,
      ])
  }

  private func write(_ request: StoredRequest, of tree: Int64) throws {
    try db.run(
      "INSERT OR REPLACE INTO request (tree, number, key, entry) VALUES (?, ?, ?, ?)",
      [tree, request.number.column, request.key, request.entry])
    try db.run(
      "DELETE FROM request WHERE tree = ? AND number <= ?", [tree, request.number.column - Int64(RequestLedger.capacity)])
  }

  // MARK: Ending

  /// Leaves of a tree how it ended, and forgets the oldest such if there are too many.
  private func end(_ tree: Int64, _ outcome: Outcome) throws {
    try db.run("DELETE FROM coordinator WHERE tree = ?", [tree])
    try db.run("DELETE FROM screen WHERE tree = ?", [tree])
    try db.run("DELETE FROM child_outcome WHERE tree = ?", [tree])
    try db.run(
      """
      UPDATE tree SET outcome = ?, owner = NULL, owner_bus = NULL, deadline = NULL,
        end_number = (SELECT coalesce(max(end_number), 0) + 1 FROM tree)
      WHERE id = ?
      """, [try StoredText.encode(outcome), tree])
    try forget(
      "(SELECT id FROM tree WHERE end_number <= (SELECT max(end_number) FROM tree) - ?)", [Int64(limits.maxOutcomes)])
  }

  private func forget(_ trees: String, _ arguments: [(any DatabaseValueConvertible)?]) throws {
    try db.run("DELETE FROM request WHERE tree IN \(trees)", arguments)
    try db.run("DELETE FROM tree WHERE id IN \(trees)", arguments)
  }
}
