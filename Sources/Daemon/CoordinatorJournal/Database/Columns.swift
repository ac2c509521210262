import SQLite

extension UInt64 {
  /// The number as an SQLite integer. No counter of this program exceeds 2^63 - 1.
  var column: SQLiteValue { .integer(Int64(clamping: self)) }
}

extension Optional<UInt64> {
  /// The number as an SQLite integer, or NULL.
  var column: SQLiteValue { map(\.column) ?? .null }
}
