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
    /// Reading or writing failed, or memory is short. This says nothing about what is stored.
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
