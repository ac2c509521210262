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
  init(_ row: Row) throws {
    let caller = row.optionalText("sender").map { name in
      Caller(user: row.optionalNumber("user").flatMap { UInt32(exactly: $0) }, name: name)
    }
    self.init(
      number: try row.number("id"), time: try row.number("time"), root: CoordinatorPath(root: try row.text("root")),
      occasion: Occasion(
        try row.raw(Occasion.Kind.self, "kind"),
        coordinator: row.optionalText("coordinator").flatMap { CoordinatorPath(names: $0.split(separator: "/")) },
        name: row.optionalText("name"), caller: caller),
      revision: try row.number("revision"), outcome: row.optionalText("outcome"))
  }
}
