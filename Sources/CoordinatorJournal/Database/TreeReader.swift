import CoordinatorKit
import GRDB

/// Reads what ``TreeWriter`` wrote.
struct TreeReader {
  let db: Database

  /// All roots, without their trees.
  func roots() throws -> StoredRoots {
    var roots = StoredRoots()
    roots.lastNumber = try db.rows("SELECT value FROM counter WHERE name = 'root-number'").first?.number("value") ?? 0
    for row in try db.rows("SELECT * FROM tree WHERE end_number IS NULL ORDER BY id") {
      roots.live.append(try root(row, lastNumber: roots.lastNumber))
    }
    for row in try db.rows("SELECT * FROM tree WHERE end_number IS NOT NULL ORDER BY end_number") {
      let id = try row.number("id")
      roots.ended.append(
        StoredEnd(
          root: try root(row, lastNumber: roots.lastNumber),
          outcome: try StoredText.decode(Outcome.self, from: row.text("outcome")), requests: try requests(of: id)))
    }
    return roots
  }

  /// The tree of a root that lives.
  ///
  /// - Returns: nil if there is none, or it has ended.
  func tree(_ id: UInt64) throws -> StoredTree? {
    guard let row = try db.rows("SELECT * FROM tree WHERE id = ? AND end_number IS NULL", [id.column]).first else { return nil }
    let path = CoordinatorPath(root: try row.text("name"))
    let counters = StoredTree.Counters(
      revision: try row.number("revision"), lastScreen: try row.number("last_screen"), lastWork: try row.number("last_work"))
    return StoredTree(
      root: path, counters: counters, coordinators: try coordinators(of: id), screens: try screens(of: id),
      outcomes: try outcomes(of: id), requests: try requests(of: id))
  }

  // MARK: Rows

  private func root(_ row: Row, lastNumber: UInt64) throws -> StoredRoot {
    var owner: StoredRoot.Owner?
    if let name = row.optionalText("owner"), let bus = row.optionalText("owner_bus") { owner = .init(name: name, bus: bus) }
    return StoredRoot(
      name: try row.text("name"), sequence: try row.number("id"), lastNumber: lastNumber, flow: try row.text("flow"),
      digest: try StoredText.decode(Digest.self, from: row.text("digest")), hasToken: try row.number("has_token") != 0,
      owner: owner, deadline: row.optionalNumber("deadline"))
  }

  private func coordinators(of tree: UInt64) throws -> [StoredCoordinator] {
    try db.rows("SELECT * FROM coordinator WHERE tree = ?", [tree.column]).map { row in
      StoredCoordinator(
        path: try path(row, "path"), flow: try row.text("flow"), version: Int(clamping: try row.number("version")),
        input: try row.text("input"), router: try row.raw(RouterKind.self, "router"), startedAt: try row.number("started_at"),
        lastChild: try row.number("last_child"), state: try row.text("state"),
        work: try row.optionalText("work").map { try StoredText.decode([StoredWork].self, from: $0) } ?? [])
    }
  }

  private func screens(of tree: UInt64) throws -> [StoredScreen] {
    try db.rows("SELECT * FROM screen WHERE tree = ?", [tree.column]).map { row in
      StoredScreen(
        id: ScreenID(try row.number("id")), coordinator: try path(row, "coordinator"), route: try row.text("route"),
        style: try row.raw(ShownScreen.Style.self, "style"), layer: UInt32(clamping: try row.number("layer")),
        attached: try row.optionalText("attached").map { try StoredText.decode([ScreenMessage].self, from: $0) } ?? [],
        draft: try row.optionalText("draft").map { try StoredText.decode([String: JSONValue].self, from: $0) } ?? [:],
        changedAt: try row.number("changed_at"))
    }
  }

  private func outcomes(of tree: UInt64) throws -> [CoordinatorPath: Outcome] {
    let rows = try db.rows("SELECT * FROM child_outcome WHERE tree = ?", [tree.column])
    return Dictionary(
      try rows.map { (try path($0, "path"), try StoredText.decode(Outcome.self, from: $0.text("outcome"))) },
      uniquingKeysWith: { $1 })
  }

  private func requests(of tree: UInt64) throws -> [StoredRequest] {
    try db.rows("SELECT * FROM request WHERE tree = ?", [tree.column]).map { row in
      let number = try row.number("number")
      // They are counted from 1, and whoever goes on counting relies on that.
      guard number > 0 else { throw Row.Unexpected(column: "number") }
      return StoredRequest(key: try row.text("key"), number: number, entry: try row.text("entry"))
    }
  }

  private func path(_ row: Row, _ column: String) throws -> CoordinatorPath {
    let names = try row.text(column).split(separator: "/")
    guard let path = CoordinatorPath(names: names) else { throw Row.Unexpected(column: column) }
    return path
  }
}
