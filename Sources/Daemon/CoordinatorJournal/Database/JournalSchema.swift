import SQLite

/// The tables of the database, and the migrations that create them.
enum JournalSchema {
  /// A step from one version of the tables to the next.
  struct Migration: Sendable {
    let name: String
    let sql: String
  }

  /// The application id in the header of the file, `COOR`, which distinguishes a journal from another program's
  /// database.
  static let applicationID: UInt64 = 0x434f_4f52

  /// The page size of a new database, in bytes. A transition changes a few rows in each of a few tables, and every page
  /// that it touches is written to the log as a whole, so small pages make small commits.
  static let pageSize = 1_024

  static let migrations = [
    Migration(name: "1", sql: "PRAGMA application_id = \(applicationID);" + version1),
    Migration(name: "2", sql: "ALTER TABLE screen ADD COLUMN draft TEXT"),
    Migration(name: "3", sql: version3),
    Migration(name: "4", sql: "ALTER TABLE coordinator ADD COLUMN belongings TEXT"),
  ]

  /// Adds tables and columns that older versions do not need: they keep using these tables, and ignore the additions. It is
  /// therefore not a migration, after which they would refuse the database.
  ///
  /// - `lapse` of a tree: the duration after which it is dismissed, and its end (``Lapse``), beside `deadline`.
  /// - `failures` of an entry of the history: ``HistoryFailure``s; `way`: the way in which its call came.
  /// - `machine`: for each start of the machine, the first reading of the clocks since then; `earlier`: how long the machine
  ///   had run before, and `seen`: how long since then, as far as daemons know (``MachineTable``). Older versions have one row
  ///   without these.
  /// - `closed`: the flows that run as root, or did (``Journal/close(_:)``).
  ///
  /// - Throws: `SQLiteError`.
  static func extend(_ db: SQLiteDatabase) throws {
    try db.execute(
      "CREATE TABLE IF NOT EXISTS machine (boot INTEGER PRIMARY KEY, wall INTEGER NOT NULL, elapsed INTEGER NOT NULL)")
    try db.execute("CREATE TABLE IF NOT EXISTS closed (flow TEXT PRIMARY KEY) WITHOUT ROWID")
    let columns = [
      ("tree", "lapse", "TEXT"), ("history", failuresColumn, "TEXT"), ("history", wayColumn, "TEXT"),
      ("machine", "earlier", "INTEGER"), ("machine", "seen", "INTEGER"),
    ]
    for (table, column, type) in columns where try !hasColumn(column, of: table, in: db) {
      try db.execute("ALTER TABLE \(table) ADD COLUMN \(column) \(type)")
    }
  }

  /// Returns whether a newer version of this program has migrated the tables.
  static func isNewer(_ db: SQLiteDatabase) throws -> Bool {
    let known = Set(migrations.map(\.name))
    return try !applied(db).isSubset(of: known)
  }

  /// Migrates the tables to the current version.
  ///
  /// - Parameters:
  ///   - db: the database.
  ///   - last: the last migration to apply; nil for all.
  /// - Throws: `SQLiteError`. The migrations before the one that failed have been applied then.
  static func migrate(_ db: SQLiteDatabase, upTo last: String? = nil) throws {
    let applied = try applied(db)
    for migration in migrations {
      if !applied.contains(migration.name) { try apply(migration, to: db) }
      if migration.name == last { return }
    }
  }

  private static func apply(_ migration: Migration, to db: SQLiteDatabase) throws {
    do throws(SQLiteDatabase.TransactionError) {
      try db.transaction {
        // The first versions of this program used this name and this column. With them, those versions detect that the
        // tables are newer than they are.
        try db.execute("CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        try db.execute(migration.sql)
        try db.run("INSERT INTO grdb_migrations (identifier) VALUES (?)", .text(migration.name))
      }
    } catch {
      throw error.reason
    }
  }

  private static func applied(_ db: SQLiteDatabase) throws -> Set<String> {
    guard try hasTable("grdb_migrations", in: db) else { return [] }
    return Set(try db.rows("SELECT identifier FROM grdb_migrations") { try $0.text(0) })
  }

  /// Returns whether a table exists.
  static func hasTable(_ name: String, in db: SQLiteDatabase) throws -> Bool {
    try !db.rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [.text(name)]) { _ in }.isEmpty
  }

  /// The columns of the history that a journal of an older version lacks until a daemon of this version has opened it.
  static let failuresColumn = "failures"
  static let wayColumn = "way"

  /// Returns whether a table has a column.
  static func hasColumn(_ name: String, of table: String, in db: SQLiteDatabase) throws -> Bool {
    try !db.rows("SELECT 1 FROM pragma_table_info(?) WHERE name = ?", [.text(table), .text(name)]) { _ in }.isEmpty
  }

  /// The rows of a tree are looked up by its id, in the order of their keys, so these tables need no rowid. Encoded
  /// values are JSON.
  private static let version1 = """
    CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO counter VALUES ('root-number', 0);

    CREATE TABLE tree (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      flow TEXT NOT NULL,
      digest TEXT NOT NULL,
      has_token INTEGER NOT NULL,
      owner TEXT,
      owner_bus TEXT,
      deadline INTEGER,
      revision INTEGER NOT NULL,
      last_screen INTEGER NOT NULL,
      last_work INTEGER NOT NULL,
      end_number INTEGER,
      outcome TEXT
    );
    CREATE INDEX ended_tree ON tree (end_number) WHERE end_number IS NOT NULL;

    CREATE TABLE coordinator (
      tree INTEGER NOT NULL,
      path TEXT NOT NULL,
      flow TEXT NOT NULL,
      version INTEGER NOT NULL,
      input TEXT NOT NULL,
      router TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      last_child INTEGER NOT NULL,
      state TEXT NOT NULL,
      work TEXT,
      PRIMARY KEY (tree, path)
    ) WITHOUT ROWID;

    CREATE TABLE screen (
      tree INTEGER NOT NULL,
      id INTEGER NOT NULL,
      coordinator TEXT NOT NULL,
      route TEXT NOT NULL,
      style TEXT NOT NULL,
      layer INTEGER NOT NULL,
      attached TEXT,
      changed_at INTEGER NOT NULL,
      PRIMARY KEY (tree, id)
    ) WITHOUT ROWID;

    CREATE TABLE child_outcome (
      tree INTEGER NOT NULL,
      path TEXT NOT NULL,
      outcome TEXT NOT NULL,
      PRIMARY KEY (tree, path)
    ) WITHOUT ROWID;

    CREATE TABLE request (
      tree INTEGER NOT NULL,
      number INTEGER NOT NULL,
      key TEXT NOT NULL,
      entry TEXT NOT NULL,
      PRIMARY KEY (tree, number)
    ) WITHOUT ROWID;

    CREATE TABLE history (
      id INTEGER PRIMARY KEY,
      time INTEGER NOT NULL,
      root TEXT NOT NULL,
      kind TEXT NOT NULL,
      coordinator TEXT,
      name TEXT,
      user INTEGER,
      sender TEXT,
      revision INTEGER NOT NULL,
      outcome TEXT
    );
    """

  /// Numbers the children of a tree in the order in which they ended, so that the oldest can be forgotten.
  private static let version3 = """
    CREATE TABLE ended_child (
      tree INTEGER NOT NULL,
      number INTEGER NOT NULL,
      path TEXT NOT NULL,
      outcome TEXT NOT NULL,
      PRIMARY KEY (tree, number)
    ) WITHOUT ROWID;
    INSERT INTO ended_child
      SELECT tree, row_number() OVER (PARTITION BY tree ORDER BY path), path, outcome FROM child_outcome;
    DROP TABLE child_outcome;
    """
}
