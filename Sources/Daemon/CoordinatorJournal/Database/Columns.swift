import SQLite

extension UInt64 {
  /// The number as SQLite keeps it: no counter of ours gets beyond 2^63.
  var column: SQLiteValue { .integer(Int64(clamping: self)) }
}

extension Optional<UInt64> {
  /// The number as SQLite keeps it, or NULL.
  var column: SQLiteValue { map(\.column) ?? .null }
}
