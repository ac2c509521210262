import CoordinatorKit
import GRDB

/// Reads what ``TreeWriter`` wrote.
///
/// There may be very many trees: each table is read once for all that are asked for, and columns are found by their places.
struct TreeReader {
  let db: Database

  /// All roots, without their trees.
  func roots() throws -> StoredRoots {
    var roots = StoredRoots()
    try db.forEachRow("SELECT value FROM counter WHERE name = 'root-number'") { roots.lastNumber = try $0.number(0) }
    let lastNumber = roots.lastNumber
    try db.forEachRow("SELECT \(Self.rootColumns) FROM tree WHERE end_number IS NULL ORDER BY id") { row in
      roots.live.append(try Self.root(row, lastNumber: lastNumber))
    }
    let requests = try requestsOfEnded()
    try db.forEachRow("SELECT \(Self.rootColumns), outcome FROM tree WHERE end_number IS NOT NULL ORDER BY end_number") { row in
      let root = try Self.root(row, lastNumber: lastNumber)
      roots.ended.append(
        StoredEnd(
          root: root, outcome: try StoredText.decode(Outcome.self, from: row.text(8)), requests: requests[root.sequence] ?? []))
    }
    return roots
  }

  /// The trees of the roots with these numbers: by number, those that are there and have not ended.
  func trees(_ ids: [UInt64]) throws -> [UInt64: StoredTree] {
    let list: [(any DatabaseValueConvertible)?] = ["[\(ids.map { String($0) }.joined(separator: ","))]"]
    var trees = TreesBeingRead()
    try db.forEachRow(
      "SELECT id, name, revision, last_screen, last_work FROM tree WHERE end_number IS NULL AND id IN \(Self.list)", list
    ) { row in
      let counters = StoredTree.Counters(
        revision: try row.number(2), lastScreen: try row.number(3), lastWork: try row.number(4))
      trees.append(try row.number(0), StoredTree(root: CoordinatorPath(root: try row.text(1)), counters: counters))
    }
    try db.forEachRow(
      """
      SELECT tree, path, flow, version, input, router, started_at, last_child, state, work FROM coordinator
      WHERE tree IN \(Self.list)
      """, list
    ) { row in
      let coordinator = try Self.coordinator(row)
      trees.change(try row.number(0)) { $0.coordinators.append(coordinator) }
    }
    try db.forEachRow(
      """
      SELECT tree, id, coordinator, route, style, layer, attached, draft, changed_at FROM screen WHERE tree IN \(Self.list)
      """, list
    ) { row in
      let screen = try Self.screen(row)
      trees.change(try row.number(0)) { $0.screens.append(screen) }
    }
    try db.forEachRow("SELECT tree, path, outcome FROM child_outcome WHERE tree IN \(Self.list)", list) { row in
      let (path, outcome) = (try Self.path(row, 1), try StoredText.decode(Outcome.self, from: row.text(2)))
      trees.change(try row.number(0)) { $0.outcomes[path] = outcome }
    }
    try db.forEachRow("SELECT tree, number, key, entry FROM request WHERE tree IN \(Self.list)", list) { row in
      let request = try Self.request(row)
      trees.change(try row.number(0)) { $0.requests.append(request) }
    }
    return trees.all
  }

  private func requestsOfEnded() throws -> [UInt64: [StoredRequest]] {
    var requests: [UInt64: [StoredRequest]] = [:]
    try db.forEachRow(
      """
      SELECT tree, number, key, entry FROM request WHERE tree IN (SELECT id FROM tree WHERE end_number IS NOT NULL)
      """
    ) { row in requests[try row.number(0), default: []].append(try Self.request(row)) }
    return requests
  }

  /// The numbers in the argument of a statement.
  private static let list = "(SELECT value FROM json_each(?))"

  // MARK: Rows

  private static let rootColumns = "id, name, flow, digest, has_token, owner, owner_bus, deadline"

  private static func root(_ row: Row, lastNumber: UInt64) throws -> StoredRoot {
    var owner: StoredRoot.Owner?
    if let name = row.optionalText(5), let bus = row.optionalText(6) { owner = .init(name: name, bus: bus) }
    let digest = try row.text(3)
    return StoredRoot(
      name: try row.text(1), sequence: try row.number(0), lastNumber: lastNumber, flow: try row.text(2),
      digest: try Digest(stored: digest) ?? StoredText.decode(Digest.self, from: digest), hasToken: try row.number(4) != 0,
      owner: owner, deadline: row.optionalNumber(7))
  }

  private static func coordinator(_ row: Row) throws -> StoredCoordinator {
    StoredCoordinator(
      path: try path(row, 1), flow: try row.text(2), version: Int(clamping: try row.number(3)), input: try row.text(4),
      router: try row.raw(RouterKind.self, 5), startedAt: try row.number(6), lastChild: try row.number(7),
      state: try row.text(8), work: try row.optionalText(9).map { try StoredText.decode([StoredWork].self, from: $0) } ?? [])
  }

  private static func screen(_ row: Row) throws -> StoredScreen {
    StoredScreen(
      id: ScreenID(try row.number(1)), coordinator: try path(row, 2), route: try row.text(3),
      style: try row.raw(ShownScreen.Style.self, 4), layer: UInt32(clamping: try row.number(5)),
      attached: try row.optionalText(6).map { try StoredText.decode([ScreenMessage].self, from: $0) } ?? [],
      draft: try row.optionalText(7).map { try StoredText.decode([String: JSONValue].self, from: $0) } ?? [:],
      changedAt: try row.number(8))
  }

  private static func request(_ row: Row) throws -> StoredRequest {
    let number = try row.number(1)
    // They are counted from 1, and whoever goes on counting relies on that.
    guard number > 0 else { throw row.unexpected(1) }
    return StoredRequest(key: try row.text(2), number: number, entry: try row.text(3))
  }

  private static func path(_ row: Row, _ column: Int) throws -> CoordinatorPath {
    let text = try row.text(column)
    // Most are of roots.
    guard text.utf8.contains(UInt8(ascii: "/")) || text.isEmpty else { return CoordinatorPath(root: text) }
    guard let path = CoordinatorPath(names: text.split(separator: "/")) else { throw row.unexpected(column) }
    return path
  }
}

/// Trees whose rows come in any order.
private struct TreesBeingRead {
  private(set) var all: [UInt64: StoredTree] = [:]

  mutating func append(_ id: UInt64, _ tree: StoredTree) { all[id] = tree }

  /// Changes a tree in its place, if it is one of those.
  mutating func change(_ id: UInt64, _ change: (inout StoredTree) -> Void) {
    guard let index = all.index(forKey: id) else { return }
    change(&all.values[index])
  }
}
