/// A value of a column. Contains only the storage classes that this project uses.
package enum SQLiteValue: Sendable, Hashable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
  case null
  case integer(Int64)
  case text(String)

  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(stringLiteral value: String) { self = .text(value) }
  package init(nilLiteral: ()) { self = .null }

  /// Creates a text value, or NULL for nil.
  package init(_ text: String?) { self = text.map { .text($0) } ?? .null }

  /// Creates an integer value, or NULL for nil.
  package init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }

  /// Creates the integer 1 for true or 0 for false.
  package init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
}
