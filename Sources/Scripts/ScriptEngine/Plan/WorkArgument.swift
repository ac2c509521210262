import Platform

/// What the argument of a piece of work says: which entry it is about, and what is to be done.
package struct WorkArgument: Sendable, Hashable {
  package var entry: Int
  package var kind: WorkKind

  /// Creates an argument.
  package init(entry: Int, kind: WorkKind) { (self.entry, self.kind) = (entry, kind) }

  /// Reads an argument; nil if it is not one.
  package init?(_ text: String) {
    let parts = text.bytes.split(separator: " ")
    guard parts.count == 2, let kind = WorkKind(rawValue: String(parts[0])), let entry = Int(parts[1]) else { return nil }
    self.init(entry: entry, kind: kind)
  }

  /// The argument as text.
  package var text: String { "\(kind.rawValue) \(entry)" }
}

/// A piece of work that begins.
package struct StartedWork: Sendable, Hashable {
  package let id: String
  package let kind: WorkKind
  /// The index of the entry that it is about.
  package let entry: Int

  /// Creates a piece of work.
  package init(id: String, kind: WorkKind, entry: Int) { (self.id, self.kind, self.entry) = (id, kind, entry) }
}
