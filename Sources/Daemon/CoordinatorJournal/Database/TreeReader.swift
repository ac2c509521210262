import CoordinatorKit
import Platform
import SQLite

/// Reads the rows that ``TreeWriter`` writes.
///
/// There may be very many trees, so each table is read once for all requested trees, and columns are addressed by
/// index. A row with an unexpected value is reported as damaged and does not affect other trees; only a failure to read
/// is an error.
struct TreeReader {
  let db: SQLiteDatabase

  // MARK: Roots

  /// Returns all roots, without their trees, and descriptions of the rows that belong to no root.
  func roots() throws -> (StoredRoots, strays: [String]) {
    var roots = StoredRoots()
    var strays: [String] = []
    roots.lastSequence = try db.number("SELECT max(id) FROM tree") ?? 0
    try db.forEachRow("SELECT value FROM counter WHERE name = 'root-number'") { row in
      do {
        roots.lastNumber = try row.number(0)
      } catch {
        // Otherwise names would be used twice.
        throw JournalError.database("the number of the last root cannot be read: \(error)")
      }
    }
    let requests = try requestsOfEnded()
    let lastNumber = roots.lastNumber
    try db.forEachRow(
      """
      SELECT id, name, flow, digest, has_token, owner, owner_bus, deadline, end_number, outcome, lapse FROM tree
      ORDER BY end_number, id
      """
    ) { row in
      do {
        let root = try Self.root(row, lastNumber: lastNumber)
        if try row.optionalNumber(8) == nil {
          roots.live.append(root)
        } else {
          let outcome = try StoredText.decode(Outcome.self, from: row.text(9))
          roots.ended.append(StoredEnd(root: root, outcome: outcome, requests: requests[root.sequence] ?? []))
        }
      } catch let error where error.meansOneRow {
        if let root = Self.damagedRoot(row, error) { roots.damaged.append(root) } else { strays.append(Self.place(of: row)) }
      }
    }
    roots.damaged.sort { $0.sequence < $1.sequence }
    roots.last = lastEntries()
    roots.closed = Set(try db.rows("SELECT flow FROM closed") { try $0.text(0) })
    return (roots, strays)
  }

  /// Returns the last entry of the history about each live root. A root without one is no error: the history is limited, and
  /// nothing but a report depends on it.
  private func lastEntries() -> [String: HistoryEntry] {
    var last: [String: HistoryEntry] = [:]
    do {
      let sql = """
        SELECT \(try HistoryEntry.columns(in: db)) FROM history WHERE id IN (SELECT max(id) FROM history GROUP BY root)
        AND root IN (SELECT name FROM tree WHERE end_number IS NULL)
        """
      // A newer version may have stored an occasion that this one does not know.
      for case let entry? in try db.rows(sql, body: { try? HistoryEntry($0) }) { last[String(entry.root.root)] = entry }
    } catch {
      return [:]
    }
    return last
  }

  private static func root(_ row: borrowing SQLiteRow, lastNumber: UInt64) throws -> StoredRoot {
    var owner: StoredRoot.Owner?
    if let name = try row.optionalText(5), let bus = try row.optionalText(6) { owner = .init(name: name, bus: bus) }
    let digest = try row.text(3)
    return StoredRoot(
      name: try row.text(1), sequence: try row.number(0), lastNumber: lastNumber, flow: try row.text(2),
      digest: try Digest(stored: digest) ?? StoredText.decode(Digest.self, from: digest), hasToken: try row.number(4) != 0,
      owner: owner, timeout: try timeout(row))
  }

  private static func timeout(_ row: borrowing SQLiteRow) throws -> FlowTimeout? {
    guard let due = try row.optionalNumber(7) else { return nil }
    return FlowTimeout(due: due, lapse: try row.optionalText(10).map { try StoredText.decode(Lapse.self, from: $0) })
  }

  /// Returns the known data of a damaged root; nil if its id or its name cannot be read.
  private static func damagedRoot(_ row: borrowing SQLiteRow, _ error: any Error) -> DamagedRoot? {
    guard let sequence = try? row.number(0), let name = try? row.text(1), !name.isEmpty else { return nil }
    return DamagedRoot(
      name: name, sequence: sequence, flow: (try? row.text(2)) ?? "", hasToken: (try? row.number(4)).map { $0 != 0 } ?? true,
      reason: reason(error))
  }

  private static func place(of row: borrowing SQLiteRow) -> String {
    "a row of the table tree\((try? row.number(0)).map { " (id \($0))" } ?? "")"
  }

  /// Returns a one-line reason why a row cannot be read.
  static func reason(_ error: any Error) -> String {
    switch error {
    case let error as SQLiteRow.Unexpected: error.description
    case is DecodingError: "a row contains a string that cannot be decoded"
    default: String(describing: error)
    }
  }

  /// Returns the stored answers of ended trees. An answer that cannot be read is dropped, which is safe only here: no call can
  /// take effect twice on a tree that has ended.
  private func requestsOfEnded() throws -> [UInt64: [StoredRequest]] {
    var requests: [UInt64: [StoredRequest]] = [:]
    try db.forEachRow(
      """
      SELECT tree, number, key, entry FROM request WHERE tree IN (SELECT id FROM tree WHERE end_number IS NOT NULL)
      """
    ) { row in
      guard let tree = try? row.number(0), let request = try? Self.request(row) else { return }
      requests[tree, default: []].append(request)
    }
    return requests
  }

  // MARK: Trees

  /// Reads the trees of the roots with these numbers. Returns them by number; roots that do not exist or have ended are
  /// omitted.
  func trees(_ ids: [UInt64]) throws -> [UInt64: StoredTreeReading] {
    let list = SQLiteValue.text("[\(ids.map { String($0) }.joined(separator: ","))]")
    var trees = TreesBeingRead()
    try db.forEachRow(
      """
      SELECT id, name, revision, last_screen, last_work FROM tree
      WHERE end_number IS NULL AND id IN (SELECT value FROM json_each(?))
      """, list
    ) { row in
      guard let id = try? row.number(0), let name = try? row.text(1) else { return }
      trees.append(id, root: CoordinatorPath(root: name))
      trees.read(row) { tree throws in
        tree.counters = StoredTree.Counters(
          revision: try row.number(2), lastScreen: try row.number(3), lastWork: try row.number(4))
      }
    }
    try db.forEachRow(
      """
      SELECT tree, path, flow, version, input, router, started_at, last_child, state, work, belongings FROM coordinator
      WHERE tree IN (SELECT value FROM json_each(?))
      """, list
    ) { row in
      trees.read(row) { tree throws in tree.coordinators.append(try Self.coordinator(row)) }
    }
    try db.forEachRow(
      """
      SELECT tree, id, coordinator, route, style, layer, attached, draft, changed_at FROM screen
      WHERE tree IN (SELECT value FROM json_each(?))
      """, list
    ) { row in
      trees.read(row) { tree throws in tree.screens.append(try Self.screen(row)) }
    }
    try db.forEachRow(
      """
      SELECT tree, path, outcome FROM ended_child WHERE tree IN (SELECT value FROM json_each(?)) ORDER BY tree, number
      """, list
    ) { row in
      trees.read(row) { tree throws in
        tree.outcomes.append(
          StoredOutcome(path: try Self.path(row, 1), outcome: try StoredText.decode(Outcome.self, from: row.text(2))))
      }
    }
    try db.forEachRow("SELECT tree, number, key, entry FROM request WHERE tree IN (SELECT value FROM json_each(?))", list) {
      row in
      trees.read(row) { tree throws in tree.requests.append(try Self.request(row)) }
    }
    return trees.all
  }

  // MARK: Rows

  private static func coordinator(_ row: borrowing SQLiteRow) throws -> StoredCoordinator {
    StoredCoordinator(
      path: try path(row, 1), flow: try row.text(2), version: Int(clamping: try row.number(3)), input: try row.text(4),
      router: try row.raw(RouterKind.self, 5), startedAt: try row.number(6), lastChild: try row.number(7),
      state: try row.text(8), work: try row.optionalText(9).map { try StoredText.decode([StoredWork].self, from: $0) } ?? [],
      belongings: try row.optionalText(10).map { try StoredText.decode(StoredBelongings.self, from: $0) })
  }

  private static func screen(_ row: borrowing SQLiteRow) throws -> StoredScreen {
    StoredScreen(
      id: ScreenID(try row.number(1)), coordinator: try path(row, 2), route: try row.text(3),
      style: try row.raw(ScreenStyle.self, 4), layer: UInt32(clamping: try row.number(5)),
      attached: try row.optionalText(6).map { try StoredText.decode([ScreenMessage].self, from: $0) } ?? [],
      draft: try row.optionalText(7).map { try StoredText.decode([String: JSONValue].self, from: $0) } ?? [:],
      changedAt: try row.number(8))
  }

  private static func request(_ row: borrowing SQLiteRow) throws -> StoredRequest {
    let number = try row.number(1)
    // Requests are numbered from 1, and the code that continues the numbering relies on it.
    guard number > 0 else { throw row.unexpected(1) }
    return StoredRequest(key: try row.text(2), number: number, entry: try row.text(3))
  }

  private static func path(_ row: borrowing SQLiteRow, _ column: Int32) throws -> CoordinatorPath {
    let text = try row.text(column)
    // Most coordinators are roots.
    guard text.utf8.contains(UInt8(ascii: "/")) || text.isEmpty else { return CoordinatorPath(root: text) }
    guard let path = CoordinatorPath(names: text.bytes.split(separator: "/")) else { throw row.unexpected(column) }
    return path
  }
}

/// Trees that are being assembled from rows in any order.
private struct TreesBeingRead {
  private var trees: [UInt64: StoredTree] = [:]
  /// The first reason why each damaged tree is incomplete.
  private var damage: [UInt64: String] = [:]

  mutating func append(_ id: UInt64, root: CoordinatorPath) {
    trees[id] = StoredTree(root: root, counters: .init(revision: 0, lastScreen: 0, lastWork: 0))
  }

  /// Reads a row into the tree whose id is in the first column. Ignores rows of other trees.
  mutating func read(_ row: borrowing SQLiteRow, _ body: (inout StoredTree) throws -> Void) {
    guard let id = try? row.number(0), let index = trees.index(forKey: id) else { return }
    do {
      try body(&trees.values[index])
    } catch {
      damage[id] = damage[id] ?? TreeReader.reason(error)
    }
  }

  var all: [UInt64: StoredTreeReading] {
    Dictionary(
      uniqueKeysWithValues: trees.map { id, tree in
        (id, damage[id].map { .damaged(tree.outline, reason: $0) } ?? .whole(tree))
      })
  }
}

extension Error {
  /// Whether the error concerns a single row and reveals nothing about others.
  fileprivate var meansOneRow: Bool { self is SQLiteRow.Unexpected || self is DecodingError }
}

/// The stored data of a root beside its tree: its request, and the conditions that end it.
public struct StoredRoot: Sendable, Hashable {
  /// The caller whose departure ends a root.
  public struct Owner: Sendable, Hashable {
    /// The caller's unique name on the bus.
    public var name: String
    /// The id of the bus. Another bus may have the same unique name.
    public var bus: String

    /// Creates an owner.
    public init(name: String, bus: String) {
      self.name = name
      self.bus = bus
    }
  }

  /// The name of the root coordinator.
  public var name: String
  /// The number of the root. Roots are numbered in the order in which they were started.
  public var sequence: UInt64
  /// The highest number that the daemon had used for a name when the root was started.
  public var lastNumber: UInt64
  /// The name of the root's flow.
  public var flow: String
  /// A digest of the request, which determines whether a later request is the same.
  public var digest: Digest
  /// Whether the root's name is a token that a client gave.
  public var hasToken: Bool
  /// The caller whose departure ends the root; nil for none.
  public var owner: Owner?
  /// When the root is dismissed; nil for never.
  package var timeout: FlowTimeout?

  /// Creates the data of a root.
  package init(
    name: String, sequence: UInt64, lastNumber: UInt64, flow: String, digest: Digest, hasToken: Bool, owner: Owner? = nil,
    timeout: FlowTimeout? = nil
  ) {
    self.name = name
    self.sequence = sequence
    self.lastNumber = lastNumber
    self.flow = flow
    self.digest = digest
    self.hasToken = hasToken
    self.owner = owner
    self.timeout = timeout
  }
}

/// The stored data of an ended root.
public struct StoredEnd: Sendable, Hashable {
  /// How the root was requested.
  public var root: StoredRoot
  /// The outcome.
  public var outcome: Outcome
  /// The stored answers to requests.
  public var requests: [StoredRequest]
}

/// A root whose own row contains values that a journal never writes. The row is not changed until the root is ended.
public struct DamagedRoot: Sendable, Hashable {
  /// The name of the root coordinator.
  public var name: String
  /// The number of the root. Roots are numbered in the order in which they were started.
  public var sequence: UInt64
  /// The name of the root's flow; "" if it cannot be read.
  public var flow: String
  /// Whether the root's name is a token that a client gave; true if that cannot be read.
  public var hasToken: Bool
  /// A description of the unreadable data.
  public var reason: String

  /// Creates a damaged root.
  public init(name: String, sequence: UInt64, flow: String, hasToken: Bool, reason: String) {
    self.name = name
    self.sequence = sequence
    self.flow = flow
    self.hasToken = hasToken
    self.reason = reason
  }
}

extension DamagedRoot {
  /// The data that is stored when the root ends. No later request equals its request, which is unknown.
  public var asEnded: StoredRoot {
    StoredRoot(name: name, sequence: sequence, lastNumber: 0, flow: flow, digest: Digest(of: "", "damaged"), hasToken: hasToken)
  }
}

/// All roots of a journal, without their trees.
public struct StoredRoots: Sendable, Hashable {
  /// The live roots, in the order in which they were started.
  public var live: [StoredRoot] = []
  /// The ended roots that are remembered, in the order in which they ended.
  public var ended: [StoredEnd] = []
  /// The roots that cannot be read, so that it is unknown whether they live or how they ended; in the order in which
  /// they were started.
  public var damaged: [DamagedRoot] = []
  /// The last entries of the history about live roots, by the names of the roots.
  package var last: [String: HistoryEntry] = [:]
  /// The flows that run as root, or did (``Journal/close(_:)``).
  package var closed: Set<String> = []
  /// The highest number that has been used for a name.
  public var lastNumber: UInt64 = 0
  /// The highest number of a root, including those that cannot be read.
  public var lastSequence: UInt64 = 0

  /// Creates a set of roots.
  public init(live: [StoredRoot] = [], ended: [StoredEnd] = [], damaged: [DamagedRoot] = [], lastNumber: UInt64 = 0) {
    self.live = live
    self.ended = ended
    self.damaged = damaged
    self.lastNumber = lastNumber
  }
}
