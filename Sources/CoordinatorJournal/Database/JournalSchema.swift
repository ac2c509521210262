import GRDB

/// The tables of the database, and how they came to be what they are.
enum JournalSchema {
  /// `COOR`, in the header of the file, so that another program's database is told from ours.
  static let applicationID = 0x434f_4f52

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
      try db.execute(sql: version1)
    }
    migrator.registerMigration("2") { db in try db.execute(sql: "ALTER TABLE screen ADD COLUMN draft TEXT") }
    return migrator
  }

  /// A tree's rows are found by its id, in the order of their keys: such tables need no rowid. What is encoded is JSON.
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
}
