/// What a column of a row may hold, of the kinds that we store.
package enum SQLiteValue: Sendable, Hashable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
  case null
  case integer(Int64)
  case text(String)

  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(stringLiteral value: String) { self = .text(value) }
  package init(nilLiteral: ()) { self = .null }

  /// A text, or NULL.
  package init(_ text: String?) { self = text.map { .text($0) } ?? .null }

  /// A number, or NULL.
  package init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }

  /// 1 or 0.
  package init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
}
