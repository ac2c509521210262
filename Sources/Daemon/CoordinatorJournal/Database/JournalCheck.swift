import Platform
import SQLite

/// Checks that a database is whole, before anything in it is relied on or changed.
struct JournalCheck {
  /// The number of transitions that the history keeps.
  let maxHistory: Int
  /// Called for rows that belong to no tree.
  let notify: @Sendable (JournalNotice) -> Void

  /// Checks every page, and reads the roots. A row with an unexpected value affects only its own tree.
  ///
  /// - Throws: ``DatabaseFile/Unusable`` if the database is damaged; `SQLiteError` if it cannot be read now.
  func roots(_ db: SQLiteDatabase) throws -> StoredRoots {
    do {
      if let verdict = try Self.verdict(db) { throw DatabaseFile.Unusable(reason: verdict) }
      let reader = TreeReader(db: db)
      let (roots, strays) = try reader.roots()
      for stray in strays { notify(.strayRow(stray)) }
      // On a full disk this has to wait.
      try? HistoryWriter(db: db, limit: maxHistory).forgetOldest()
      return roots
    } catch let error as SQLiteError where error.meansDamage {
      throw DatabaseFile.Unusable(reason: error.description)
    }
  }

  /// Returns the first problem that SQLite finds in the database; nil if it is whole.
  ///
  /// - Throws: `SQLiteError`, also if SQLite reports as a problem that it could not read a page, since that is no sign
  ///   of damage.
  static func verdict(_ db: SQLiteDatabase) throws -> String? {
    guard let verdict = try db.text("PRAGMA quick_check(1)"), verdict != "ok" else { return nil }
    if let code = errorCode(in: verdict), !SQLiteError(code: code).meansDamage {
      throw SQLiteError(code: code, message: verdict)
    }
    return verdict
  }

  /// Returns the result code in a message about a page that could not be read: "unable to get the page. error
  /// code=8458".
  static func errorCode(in verdict: String) -> Int32? {
    verdict.bytes.cut(at: "error code=").flatMap { Int32(Substring($0.after.utf8.prefix(while: \.isASCIIDigit))) }
  }
}

extension SQLiteError {
  /// Whether the error means that the file is damaged, as opposed to a problem with the disk or with permissions. The
  /// statements of this program are correct, so an error in one means that the tables are different.
  var meansDamage: Bool { kind == .damaged || kind == .otherTables }
}
