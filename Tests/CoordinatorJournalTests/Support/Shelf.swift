import CoordinatorKit
import CoordinatorTestKit
import Foundation
import SQLite

@testable import CoordinatorJournal

/// A temporary directory for a journal, removed together with this object, and the flows to store in it.
final class Shelf: Sendable {
  let directory: String
  let catalogue: FlowCatalogue

  init() throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID().uuidString)").path
    var catalogue = FlowCatalogue()
    try catalogue.add { Counter() }
    self.catalogue = catalogue
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// Opens the journal without syncing the disk, which matters only for power cuts.
  func open(maxOutcomes: Int = 1_000, maxHistory: Int = 100_000) throws -> Journal {
    try Journal(JournalConfiguration(directory: directory, sync: .off, maxOutcomes: maxOutcomes, maxHistory: maxHistory))
  }

  /// Starts a flow that is stored in the journal.
  func start(_ name: String, _ sequence: UInt64, in journal: Journal) async throws -> (TestFlow, StoredRoot) {
    let root = StoredRoot.sample(name, sequence)
    let store = journal.store(of: root, in: catalogue)
    return (try await TestFlow.start("counter", in: catalogue, root: name, store: store), root)
  }

  /// Copies the files that a kill between two commits would leave to another directory.
  func copy(of journal: Journal) async throws -> Shelf {
    let copy = try Shelf()
    try await journal.database.perform { [self] _ in
      for file in [Journal.fileName, "journal.sqlite-wal"] {
        try copy.make(file, try Data(contentsOf: URL(filePath: path(file))))
      }
    }
    return copy
  }

  /// Changes the database directly, as another program might, and leaves no log.
  func change(_ sql: String) throws {
    let db = try SQLiteDatabase(path: database)
    try db.execute(sql)
    try db.checkpoint()
  }

  // MARK: Files

  /// Returns the path of a file in the directory.
  func path(_ file: String) -> String { "\(directory)/\(file)" }

  /// The path of the database.
  var database: String { path(Journal.fileName) }

  /// Returns the names of the files in the directory.
  func files() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: directory)) }

  /// Returns the size of a file in the directory, in bytes.
  func size(_ file: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path(file))[.size] as? Int ?? 0
  }

  /// Returns the permissions of a file in the directory, or of the directory itself.
  func mode(_ file: String = "") throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path(file))[.posixPermissions] as? Int ?? 0
  }

  /// Changes the bytes of a file.
  func damage(_ file: String = Journal.fileName, _ change: (inout Data) -> Void) throws {
    let url = URL(filePath: path(file))
    var data = try Data(contentsOf: url)
    change(&data)
    try data.write(to: url)
  }

  /// Returns the files in the directory with their contents, except for the index of the log, in which readers register
  /// themselves.
  func contents() throws -> [String: Data?] {
    Dictionary(
      uniqueKeysWithValues: try files().map { ($0, $0.hasSuffix("-shm") ? nil : FileManager.default.contents(atPath: path($0))) })
  }

  /// Returns whether any of the files contains a string.
  func contains(_ text: String) throws -> Bool {
    try files().contains { FileManager.default.contents(atPath: path($0))?.range(of: Data(text.utf8)) != nil }
  }

  /// Creates the directory if necessary, and writes a file to it.
  func make(_ file: String, _ contents: Data) throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try contents.write(to: URL(filePath: path(file)))
  }
}
