import CoordinatorKit
import Platform
import SQLite

/// A stored transition: who did what when, and what failed. It contains nothing that a user typed, unless an author has put
/// that into a failure.
public struct HistoryEntry: Sendable, Hashable {
  /// The number of the transition. The transitions of a journal are numbered in the order in which they were stored.
  public var number: UInt64
  /// When the transition began, in microseconds since 1970.
  public var time: UInt64
  /// The path of the root coordinator.
  public var root: CoordinatorPath
  /// The event or other occasion that caused the transition.
  public var occasion: Occasion
  /// The revision of the tree after the transition.
  public var revision: UInt64
  /// The outcome if the transition ended the tree: `finished`, `cancelled` or `failed`; nil if the tree remained alive.
  public var outcome: String?
  /// What failed, in this order.
  public var failures: [HistoryFailure]

  /// Creates an entry.
  public init(
    number: UInt64, time: UInt64, root: CoordinatorPath, occasion: Occasion, revision: UInt64, outcome: String? = nil,
    failures: [HistoryFailure] = []
  ) {
    self.number = number
    self.time = time
    self.root = root
    self.occasion = occasion
    self.revision = revision
    self.outcome = outcome
    self.failures = failures
  }
}

extension HistoryEntry {
  /// Returns the columns of a row from which an entry is created.
  ///
  /// - Parameter hasFailures: whether the table has the column of failures.
  /// - Returns: the columns, as a query names them.
  static func columns(hasFailures: Bool) -> String {
    "id, time, root, kind, coordinator, name, user, sender, revision, outcome, "
      + (hasFailures ? JournalSchema.failuresColumn : "NULL")
  }

  init(_ row: borrowing SQLiteRow) throws {
    let user = try row.optionalNumber(6).flatMap { UInt32(exactly: $0) }
    let caller = try row.optionalText(7).map { Caller(user: user, name: $0) }
    self.init(
      number: try row.number(0), time: try row.number(1), root: CoordinatorPath(root: try row.text(2)),
      occasion: Occasion(
        try row.raw(Occasion.Kind.self, 3),
        coordinator: try row.optionalText(4).flatMap { CoordinatorPath(names: $0.bytes.split(separator: "/")) },
        name: try row.optionalText(5), caller: caller),
      revision: try row.number(8), outcome: try row.optionalText(9),
      failures: try row.optionalText(10).map { try StoredText.decode([HistoryFailure].self, from: $0) } ?? [])
  }
}
