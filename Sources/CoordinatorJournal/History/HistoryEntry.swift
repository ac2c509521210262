import CoordinatorKit
import GRDB

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

  init(_ row: Row) throws {
    let caller = row.optionalText(7).map { name in
      Caller(user: row.optionalNumber(6).flatMap { UInt32(exactly: $0) }, name: name)
    }
    self.init(
      number: try row.number(0), time: try row.number(1), root: CoordinatorPath(root: try row.text(2)),
      occasion: Occasion(
        try row.raw(Occasion.Kind.self, 3),
        coordinator: row.optionalText(4).flatMap { CoordinatorPath(names: $0.split(separator: "/")) },
        name: row.optionalText(5), caller: caller),
      revision: try row.number(8), outcome: row.optionalText(9))
  }
}
