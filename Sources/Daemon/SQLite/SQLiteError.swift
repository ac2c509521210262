import CSQLite
import Glibc

/// What SQLite said to a call, with what the system said to SQLite.
package struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What an error means for whoever wants to go on.
  package enum Kind: Sendable, Hashable {
    /// The disk, or the user's share of it, is full: nothing was stored.
    case full
    /// Another connection has locked the database for longer than we wait.
    case busy
    /// Reading or writing failed, or memory is short: this says nothing about what is stored.
    case unavailable
    /// The file system takes no changes.
    case readOnly
    /// The file cannot be opened, for example for want of rights.
    case cannotOpen
    /// What is in the file is no database, or not one that is whole.
    case damaged
    /// The file lacks a table or a column that the statement names.
    case otherTables
    /// A constraint of a table forbids it.
    case constraint
    /// Anything else: a mistake of ours.
    case other
  }

  /// The extended result code.
  package let code: Int32
  /// The system's error number, if the system had a part in it; else 0.
  package let systemCode: Int32
  /// What SQLite says.
  package let message: String

  /// The error of a result code.
  ///
  /// - Parameters:
  ///   - code: the extended result code.
  ///   - systemCode: the system's error number; 0 for none.
  ///   - message: what SQLite says; nil for what it says of the code.
  package init(code: Int32, systemCode: Int32 = 0, message: String? = nil) {
    self.code = code
    self.systemCode = systemCode
    self.message = message ?? String(cString: sqlite3_errstr(code))
  }

  /// The last error of a connection.
  init(_ handle: OpaquePointer?, code: Int32) {
    guard let handle else {
      self.init(code: code)
      return
    }
    let isSystem = [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL].contains(code & 0xff)
    self.init(
      code: code, systemCode: isSystem ? sqlite3_system_errno(handle) : 0, message: String(cString: sqlite3_errmsg(handle)))
  }

  /// What it means.
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

  /// No room on the disk, in a quota, or within the limit of a file's size.
  private static let noRoom = [ENOSPC, EDQUOT, EFBIG]

  /// Whether a commit that fails so is surely not in the log: its last frame makes it one, and either that could not be written, or not even
  /// the first one.
  package var meansNothingIsCommitted: Bool {
    [SQLITE_FULL, SQLITE_BUSY].contains(code & 0xff) || code == SQLITE_IOERR | (3 << 8)
  }

  /// For people.
  package var description: String {
    systemCode == 0 ? message : "\(message) (\(String(cString: strerror(systemCode))))"
  }
}
