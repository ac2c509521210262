import CoordinatorKit
import SQLite

/// A transition that was stored: who did what when. Holds nothing of what a user typed.
public struct HistoryEntry: Sendable, Hashable {
  /// The transitions of a journal are numbered in the order in which they were stored.
  public var number: UInt64
  /// When it was begun, in microseconds since 1970.
  public var time: UInt64
  /// The path of the root coordinator.
  public var root: CoordinatorPath
  /// What set it off.
  public var occasion: Occasion
  /// The tree's revision after it.
  public var revision: UInt64
  /// How the tree ended in it: `finished`, `cancelled`, `failed`; nil if it lived on.
  public var outcome: String?

  /// Puts an entry together.
  public init(
    number: UInt64, time: UInt64, root: CoordinatorPath, occasion: Occasion, revision: UInt64, outcome: String? = nil
  ) {
    self.number = number
    self.time = time
    self.root = root
    self.occasion = occasion
    self.revision = revision
    self.outcome = outcome
  }
}

extension HistoryEntry {
  /// What a row holds that an entry is made from.
  static let columns = "id, time, root, kind, coordinator, name, user, sender, revision, outcome"

  init(_ row: borrowing SQLiteRow) throws {
    let user = try row.optionalNumber(6).flatMap { UInt32(exactly: $0) }
    let caller = try row.optionalText(7).map { Caller(user: user, name: $0) }
    self.init(
      number: try row.number(0), time: try row.number(1), root: CoordinatorPath(root: try row.text(2)),
      occasion: Occasion(
        try row.raw(Occasion.Kind.self, 3),
        coordinator: try row.optionalText(4).flatMap { CoordinatorPath(names: $0.split(separator: "/")) },
        name: try row.optionalText(5), caller: caller),
      revision: try row.number(8), outcome: try row.optionalText(9))
  }
}
