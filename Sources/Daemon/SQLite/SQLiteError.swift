import CSQLite
import Glibc

/// An error that SQLite returned, with the system error behind it.
package struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The meaning of an error for the code that handles it.
  package enum Kind: Sendable, Hashable {
    /// The disk or the user's quota is full; nothing was stored.
    case full
    /// Another connection has held a lock for longer than the busy timeout.
    case busy
    /// Reading or writing failed, or memory is short. This reveals nothing about the stored data.
    case unavailable
    /// The file or the file system is read-only.
    case readOnly
    /// The file cannot be opened, for example because permissions are missing.
    case cannotOpen
    /// The file is not a database, or is damaged.
    case damaged
    /// The file lacks a table or a column that the statement names.
    case otherTables
    /// A constraint of a table was violated.
    case constraint
    /// Any other error, which means a mistake in this program.
    case other
  }

  /// The extended result code.
  package let code: Int32
  /// The system's error number (`errno`) if a system call failed, else 0.
  package let systemCode: Int32
  /// SQLite's message.
  package let message: String

  /// Creates an error from a result code.
  ///
  /// - Parameters:
  ///   - code: the extended result code.
  ///   - systemCode: the system's error number; 0 for none.
  ///   - message: SQLite's message; nil for the general message of the code.
  package init(code: Int32, systemCode: Int32 = 0, message: String? = nil) {
    self.code = code
    self.systemCode = systemCode
    self.message = message ?? String(cString: sqlite3_errstr(code))
  }

  /// Creates an error from the most recent error of a connection.
  init(_ handle: OpaquePointer?, code: Int32) {
    guard let handle else {
      self.init(code: code)
      return
    }
    let isSystem = [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL].contains(code & 0xff)
    self.init(
      code: code, systemCode: isSystem ? sqlite3_system_errno(handle) : 0, message: String(cString: sqlite3_errmsg(handle)))
  }

  /// The meaning of the error.
  package var kind: Kind {
    switch code & 0xff {
    case SQLITE_FULL: .full
    case SQLITE_IOERR: Self.noRoom.contains(systemCode) ? .full : .unavailable
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_NOMEM, SQLITE_INTERRUPT, SQLITE_PROTOCOL: .unavailable
    case SQLITE_READONLY: .readOnly
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: Self.noRoom.contains(systemCode) ? .full : .cannotOpen
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .damaged
    case SQLITE_ERROR: .otherTables
    case SQLITE_CONSTRAINT: .constraint
    default: .other
    }
  }

  /// The system errors for a full disk, an exceeded quota, and an exceeded file size limit.
  private static let noRoom = [ENOSPC, EDQUOT, EFBIG]

  /// Whether a commit that failed with this error is certainly not in the log. The last frame of a commit is what makes
  /// it valid; with these errors that frame was not written, or not even the first one was.
  package var meansNothingIsCommitted: Bool {
    [SQLITE_FULL, SQLITE_BUSY].contains(code & 0xff) || code == SQLITE_IOERR | (3 << 8)
  }

  /// A human-readable message.
  package var description: String {
    systemCode == 0 ? message : "\(message) (\(String(cString: strerror(systemCode))))"
  }
}

/// A row of a result, valid only during the call that passes it.
///
/// Columns are addressed by index, from 0. The number of columns depends on the statement alone, never on the file, so
/// an index is not checked.
package struct SQLiteRow: ~Copyable {
  /// The error for a column that contains a value that this program never writes: another program has changed the database.
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
