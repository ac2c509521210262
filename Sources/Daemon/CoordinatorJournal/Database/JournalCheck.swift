import SQLite

/// Looks whether a database is whole before anything of it is relied on or changed.
struct JournalCheck {
  /// How many transitions the history goes back.
  let maxHistory: Int
  /// Hears of rows that belong to nobody.
  let notify: @Sendable (JournalNotice) -> Void

  /// Checks every page, and reads which trees there are. Rows that hold something unexpected cost nobody but their own tree.
  ///
  /// - Throws: ``DatabaseFile/Unusable`` if it is damaged; `SQLiteError` if it cannot be read now.
  func roots(_ db: SQLiteDatabase) throws -> StoredRoots {
    do {
      if let verdict = try Self.verdict(db) { throw DatabaseFile.Unusable(reason: verdict) }
      let reader = TreeReader(db: db)
      let (roots, strays) = try reader.roots()
      for stray in strays { notify(.strayRow(stray)) }
      // On a full disk that has to wait.
      try? HistoryWriter(db: db, limit: maxHistory).forgetOldest()
      return roots
    } catch let error as SQLiteError where error.meansDamage {
      throw DatabaseFile.Unusable(reason: error.description)
    }
  }

  /// What SQLite has against the database; nil if it is whole.
  ///
  /// - Throws: `SQLiteError` also where SQLite says in its verdict that it could not read: that is no verdict.
  static func verdict(_ db: SQLiteDatabase) throws -> String? {
    guard let verdict = try db.text("PRAGMA quick_check(1)"), verdict != "ok" else { return nil }
    if let code = errorCode(in: verdict), !SQLiteError(code: code).meansDamage {
      throw SQLiteError(code: code, message: verdict)
    }
    return verdict
  }

  /// The code that SQLite names where it could not get a page: "unable to get the page. error code=8458".
  static func errorCode(in verdict: String) -> Int32? {
    verdict.firstRange(of: "error code=").flatMap { Int32(verdict[$0.upperBound...].prefix { $0.isNumber }) }
  }
}

extension SQLiteError {
  /// Whether it tells of the file, and not of the disk or of rights. Our statements are right: an error in one means other tables.
  var meansDamage: Bool { kind == .damaged || kind == .otherTables }
}
