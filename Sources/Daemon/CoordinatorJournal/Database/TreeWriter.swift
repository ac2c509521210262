import CoordinatorKit
import SQLite

/// Writes the changes of transitions. Call its methods within a database transaction that contains the whole change.
struct TreeWriter {
  let db: SQLiteDatabase
  let limits: JournalConfiguration

  /// Writes the first change of a tree, which has just started.
  func start(_ root: StoredRoot, _ change: StoredChange) throws {
    // A token may be used again once its root has been forgotten.
    try db.run(
      "DELETE FROM request WHERE tree IN (SELECT id FROM tree WHERE name = ? AND end_number IS NOT NULL)", .text(root.name))
    try db.run("DELETE FROM tree WHERE name = ? AND end_number IS NOT NULL", .text(root.name))
    let counters = change.counters
    let lapse = try root.timeout?.lapse.map { try StoredText.encode($0) }
    try db.run(
      """
      INSERT INTO tree (id, name, flow, digest, has_token, owner, owner_bus, deadline, lapse, revision, last_screen, last_work)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      root.sequence.column, .text(root.name), .text(root.flow), .text(try StoredText.encode(root.digest)),
      SQLiteValue(root.hasToken), SQLiteValue(root.owner?.name), SQLiteValue(root.owner?.bus), (root.timeout?.due).column,
      SQLiteValue(lapse),
      counters.revision.column, counters.lastScreen.column, counters.lastWork.column)
    try db.run("UPDATE counter SET value = ?1 WHERE name = 'root-number' AND value < ?1", root.lastNumber.column)
    try write(change, of: root.sequence.column)
  }

  /// Writes a change of a tree that is already stored.
  func apply(_ change: StoredChange, to tree: UInt64) throws {
    let counters = change.counters
    try db.run(
      "UPDATE tree SET revision = ?, last_screen = ?, last_work = ? WHERE id = ?", counters.revision.column,
      counters.lastScreen.column, counters.lastWork.column, tree.column)
    // Otherwise rows would be stored that belong to no tree.
    guard db.changedRows == 1 else { throw JournalError.database("the flow was never stored") }
    try write(change, of: tree.column)
  }

  /// Writes the end of a held tree, and replaces those columns of the root's row that are needed to read it again.
  func end(_ root: StoredRoot, _ change: StoredChange) throws {
    let tree = root.sequence.column
    try db.run(
      "UPDATE tree SET flow = ?, digest = ?, has_token = ? WHERE id = ?", .text(root.flow),
      .text(try StoredText.encode(root.digest)), SQLiteValue(root.hasToken), tree)
    var change = change
    if change.request != nil {
      // Stored requests may be unreadable, and so the caller may not know the last number.
      var last: UInt64 = 0
      try db.forEachRow("SELECT max(number) FROM request WHERE tree = ? AND typeof(number) = 'integer'", tree) {
        last = try $0.optionalNumber(0) ?? 0
      }
      change.request?.number = last + 1
    }
    try apply(change, to: root.sequence)
  }

  /// Forgets the outcome of a token's flow.
  func forget(_ token: String) throws {
    try db.run(
      "DELETE FROM request WHERE tree IN (SELECT id FROM tree WHERE name = ? AND end_number IS NOT NULL)", .text(token))
    try db.run("DELETE FROM tree WHERE name = ? AND end_number IS NOT NULL", .text(token))
  }

  private func write(_ change: StoredChange, of tree: SQLiteValue) throws {
    if let request = change.request { try write(request, of: tree) }
    if let outcome = change.outcome {
      try end(tree, outcome)
    } else {
      for coordinator in change.coordinators { try write(coordinator, of: tree) }
      try write(change.ended, of: tree)
      for screen in change.screens { try write(screen, of: tree) }
      for id in change.dismissed { try db.run("DELETE FROM screen WHERE tree = ? AND id = ?", tree, id.number.column) }
    }
    try HistoryWriter(db: db, limit: limits.maxHistory).write(change)
  }

  // MARK: Rows

  private func write(_ coordinator: StoredCoordinator, of tree: SQLiteValue) throws {
    let work = coordinator.work.isEmpty ? nil : try StoredText.encode(coordinator.work)
    let belongings = try coordinator.belongings.map { try StoredText.encode($0) }
    try db.run(
      """
      INSERT INTO coordinator (tree, path, flow, version, input, router, started_at, last_child, state, work, belongings)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (tree, path) DO UPDATE SET
        version = excluded.version, input = excluded.input, last_child = excluded.last_child, state = excluded.state, work = excluded.work,
        belongings = excluded.belongings
      """,
      tree, .text(coordinator.path.text), .text(coordinator.flow), .integer(Int64(coordinator.version)),
      .text(coordinator.input), .text(coordinator.router.rawValue), coordinator.startedAt.column, coordinator.lastChild.column,
      .text(coordinator.state), SQLiteValue(work), SQLiteValue(belongings))
  }

  /// Only the newest ended children are kept.
  private func write(_ ended: [EndedCoordinator], of tree: SQLiteValue) throws {
    guard !ended.isEmpty else { return }
    var number: UInt64 = 0
    try db.forEachRow("SELECT max(number) FROM ended_child WHERE tree = ?", tree) { number = try $0.optionalNumber(0) ?? 0 }
    for child in ended {
      number += 1
      try db.run("DELETE FROM coordinator WHERE tree = ? AND path = ?", tree, .text(child.path.text))
      try db.run(
        "INSERT INTO ended_child (tree, number, path, outcome) VALUES (?, ?, ?, ?)", tree, number.column,
        .text(child.path.text), .text(try StoredText.encode(child.outcome)))
    }
    try db.run(
      "DELETE FROM ended_child WHERE tree = ? AND number <= ?", tree,
      .integer(Int64(clamping: number) - Int64(OutcomeLedger.capacity)))
  }

  private func write(_ screen: StoredScreen, of tree: SQLiteValue) throws {
    let attached = screen.attached.isEmpty ? nil : try StoredText.encode(screen.attached)
    let draft = screen.draft.isEmpty ? nil : try StoredText.encode(screen.draft)
    try db.run(
      """
      INSERT OR REPLACE INTO screen (tree, id, coordinator, route, style, layer, attached, draft, changed_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      tree, screen.id.number.column, .text(screen.coordinator.text), .text(screen.route), .text(screen.style.rawValue),
      .integer(Int64(screen.layer)), SQLiteValue(attached), SQLiteValue(draft), screen.changedAt.column)
  }

  private func write(_ request: StoredRequest, of tree: SQLiteValue) throws {
    try db.run(
      "INSERT OR REPLACE INTO request (tree, number, key, entry) VALUES (?, ?, ?, ?)", tree, request.number.column,
      .text(request.key), .text(request.entry))
    try db.run(
      "DELETE FROM request WHERE tree = ? AND number <= ?", tree,
      .integer(Int64(clamping: request.number) - Int64(RequestLedger.capacity)))
  }

  // MARK: Ending

  /// Deletes all data of a tree except its outcome, and forgets the oldest ended trees beyond the limit.
  private func end(_ tree: SQLiteValue, _ outcome: Outcome) throws {
    try db.run("DELETE FROM coordinator WHERE tree = ?", tree)
    try db.run("DELETE FROM screen WHERE tree = ?", tree)
    try db.run("DELETE FROM ended_child WHERE tree = ?", tree)
    try db.run(
      """
      UPDATE tree SET outcome = ?, owner = NULL, owner_bus = NULL, deadline = NULL, lapse = NULL,
        end_number = (SELECT coalesce(max(end_number), 0) + 1 FROM tree)
      WHERE id = ?
      """, .text(try StoredText.encode(outcome)), tree)
    let kept = SQLiteValue.integer(Int64(limits.maxOutcomes))
    try db.run(
      """
      DELETE FROM request WHERE tree IN
        (SELECT id FROM tree WHERE end_number <= (SELECT max(end_number) FROM tree) - ?)
      """, kept)
    try db.run("DELETE FROM tree WHERE end_number <= (SELECT max(end_number) FROM tree) - ?", kept)
  }
}
