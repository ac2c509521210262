import CSQLite

/// A row of a result, good for as long as the call that hands it out. Columns are named by their places: that there are as many as are
/// asked for is up to the statement, not to the file.
package struct SQLiteRow: ~Copyable {
  /// A column holds something that is never written into it: the database was changed by somebody else.
  package struct Unexpected: Error, Hashable, CustomStringConvertible {
    /// The column's name.
    package let column: String

    /// The error of a column.
    package init(column: String) { self.column = column }

    /// For people.
    package var description: String { "the column \(column) holds something unexpected" }
  }

  let statement: OpaquePointer

  /// The error of a column that holds something unexpected.
  package func unexpected(_ column: Int32) -> Unexpected {
    Unexpected(column: sqlite3_column_name(statement, column).map { String(cString: $0) } ?? "\(column)")
  }

  /// The text of a column.
  package func text(_ column: Int32) throws(Unexpected) -> String {
    guard let text = try optionalText(column) else { throw unexpected(column) }
    return text
  }

  /// The text of a column; nil for NULL.
  package func optionalText(_ column: Int32) throws(Unexpected) -> String? {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_NULL: return nil
    case SQLITE_TEXT:
      guard let bytes = sqlite3_column_text(statement, column) else { throw unexpected(column) }
      let count = Int(sqlite3_column_bytes(statement, column))
      guard let text = String(validating: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self) else {
        throw unexpected(column)
      }
      return text
    default: throw unexpected(column)
    }
  }

  /// The number of a column, 0 or more.
  package func number(_ column: Int32) throws(Unexpected) -> UInt64 {
    guard let number = try optionalNumber(column) else { throw unexpected(column) }
    return number
  }

  /// The number of a column, 0 or more; nil for NULL.
  package func optionalNumber(_ column: Int32) throws(Unexpected) -> UInt64? {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_NULL: return nil
    case SQLITE_INTEGER:
      guard let number = UInt64(exactly: sqlite3_column_int64(statement, column)) else { throw unexpected(column) }
      return number
    default: throw unexpected(column)
    }
  }

  /// The value of a column whose text is the raw value of one.
  package func raw<Value: RawRepresentable>(
    _ type: Value.Type, _ column: Int32
  ) throws(Unexpected) -> Value where Value.RawValue == String {
    guard let value = Value(rawValue: try text(column)) else { throw unexpected(column) }
    return value
  }
}
