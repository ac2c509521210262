import CSQLite

/// A row of a result, valid only during the call that passes it.
///
/// Columns are addressed by index, from 0. The number of columns depends on the statement alone, never on the file, so
/// an index is not checked.
package struct SQLiteRow: ~Copyable {
  /// An error that says that a column contains a value that this program never writes: another program has changed the
  /// database.
  package struct Unexpected: Error, Hashable, CustomStringConvertible {
    /// The name of the column.
    package let column: String

    /// Creates the error for a column.
    package init(column: String) { self.column = column }

    /// A human-readable message.
    package var description: String { "the column \(column) contains an unexpected value" }
  }

  let statement: OpaquePointer

  /// Returns the error for a column that contains an unexpected value.
  package func unexpected(_ column: Int32) -> Unexpected {
    Unexpected(column: sqlite3_column_name(statement, column).map { String(cString: $0) } ?? "\(column)")
  }

  /// Returns the text in a column. Throws if the column contains anything else, NULL or invalid UTF-8.
  package func text(_ column: Int32) throws(Unexpected) -> String {
    guard let text = try optionalText(column) else { throw unexpected(column) }
    return text
  }

  /// Returns the text in a column, or nil for NULL. Throws if the column contains anything else or invalid UTF-8.
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

  /// Returns the integer in a column. Throws if the column contains anything else, NULL or a negative number.
  package func number(_ column: Int32) throws(Unexpected) -> UInt64 {
    guard let number = try optionalNumber(column) else { throw unexpected(column) }
    return number
  }

  /// Returns the integer in a column, or nil for NULL. Throws if the column contains anything else or a negative
  /// number.
  package func optionalNumber(_ column: Int32) throws(Unexpected) -> UInt64? {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_NULL: return nil
    case SQLITE_INTEGER:
      guard let number = UInt64(exactly: sqlite3_column_int64(statement, column)) else { throw unexpected(column) }
      return number
    default: throw unexpected(column)
    }
  }

  /// Returns the value whose raw value is the text in a column. Throws if there is no such value.
  package func raw<Value: RawRepresentable>(
    _ type: Value.Type, _ column: Int32
  ) throws(Unexpected) -> Value where Value.RawValue == String {
    guard let value = Value(rawValue: try text(column)) else { throw unexpected(column) }
    return value
  }
}
