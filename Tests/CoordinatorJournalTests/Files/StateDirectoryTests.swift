import CoordinatorKit
import Foundation
import TestBus
import Testing

@testable import CoordinatorJournal

@Suite("Journal directories", .timeLimit(.minutes(5)))
struct StateDirectoryTests {
  let shelf: Shelf

  init() throws { shelf = try Shelf() }

  @Test("A journal directory is created with its parents, and only its user can access it and its files")
  func directoryIsCreatedForItsUserOnly() async throws {
    let deep = shelf.path("a/b/c")
    let journal = try Journal(JournalConfiguration(directory: deep))
    try await journal.start(.sample("counter_1", 1))
    for directory in ["", "a", "a/b", "a/b/c"] { #expect(try shelf.mode(directory) == 0o700) }
    let files = try FileManager.default.contentsOfDirectory(atPath: deep)
    #expect(Set(files) == ["lock", "reserve", "journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"])
    for file in files { #expect(try shelf.mode("a/b/c/\(file)") == 0o600) }
  }

  @Test("A journal directory is private to its user whatever the umask", arguments: ["0000", "0022", "0777"])
  func directoryIsPrivateWithAnyUmask(_ mask: String) async throws {
    let writer = try await Writer(in: shelf.directory, trees: 1, umask: mask)
    #expect(try shelf.mode() == 0o700)
    for file in try shelf.files() { #expect(try shelf.mode(file) == 0o600) }
    _ = await writer.kill()
  }

  @Test("Opening a journal revokes other users' access to its directory and database")
  func accessOfOthersIsRevoked() throws {
    try shelf.open().close()
    for file in ["", Journal.fileName] {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: shelf.path(file))
    }
    let journal = try shelf.open()
    #expect(try shelf.mode() == 0o700)
    #expect(try shelf.mode(Journal.fileName) == 0o600)
    #expect(journal.notices.isEmpty)
  }

  @Test("A journal directory may have any name")
  func directoryMayHaveAnyName() async throws {
    for name in ["with space", "ü?x=1#%41", "file:x"] {
      let journal = try Journal(JournalConfiguration(directory: shelf.path(name)))
      try await journal.start(.sample("counter_1", 1))
      journal.close()
      #expect(FileManager.default.fileExists(atPath: shelf.path("\(name)/journal.sqlite")))
    }
  }

  @Test("A directory serves one journal at a time, and the next one once that is closed")
  func oneJournalPerDirectoryAtATime() throws {
    let first = try shelf.open()
    #expect(throws: JournalError.inUse(directory: shelf.directory)) { try shelf.open() }
    first.close()
    try shelf.open().close()
  }

  @Test("A directory in use names its holder to others, and a waiting journal does not overwrite that")
  func directoryNamesItsHolder() throws {
    var configuration = JournalConfiguration(directory: shelf.directory, sync: .off)
    #expect(Journal.holder(of: shelf.directory) == nil)
    configuration.holder = "bus 1, of a long name"
    let first = try Journal(configuration)
    #expect(Journal.holder(of: shelf.directory) == "bus 1, of a long name")
    configuration.holder = "bus 2"
    #expect(throws: JournalError.inUse(directory: shelf.directory)) { try Journal(configuration) }
    #expect(Journal.holder(of: shelf.directory) == "bus 1, of a long name")
    first.close()
    let second = try Journal(configuration)
    #expect(Journal.holder(of: shelf.directory) == "bus 2")
    second.close()
    configuration.holder = ""
    let third = try Journal(configuration)
    #expect(Journal.holder(of: shelf.directory) == nil)
    third.close()
  }

  @Test("A directory stays in use while a store can still write to it")
  func directoryStaysInUseWithAStore() async throws {
    var journal: Journal? = try shelf.open()
    let store = journal?.store(of: .sample("counter_1", 1), in: shelf.catalogue)
    journal = nil
    #expect(throws: JournalError.inUse(directory: shelf.directory)) { try shelf.open() }
    withExtendedLifetime(store) {}
  }

  @Test("A directory serves one process at a time, and the next one after that was killed")
  func oneProcessPerDirectoryAtATime() async throws {
    let writer = try await Writer(in: shelf.directory, trees: 1)
    #expect(throws: JournalError.inUse(directory: shelf.directory)) { try shelf.open() }
    let other = try await Writer.refused(in: shelf.directory)
    #expect(other.status == .exited(1))
    #expect(other.output.hasPrefix("not opened: another daemon uses the state directory"))
    _ = await writer.kill()
    #expect(try await shelf.open().roots().live.count == 1)
  }

  @Test("The error for a directory that is a file, is below a file, or is empty names the directory")
  func unusableDirectoryIsNamed() throws {
    try shelf.make("file", Data())
    for path in [shelf.path("file"), shelf.path("file/below"), ""] {
      #expect {
        try Journal(JournalConfiguration(directory: path))
      } throws: { error in
        if case JournalError.directory(path, _) = error { true } else { false }
      }
    }
  }

  @Test("A directory that belongs to another user is refused")
  func directoryOfAnotherUserIsRefused() throws {
    // A directory of root, unless the tests run as root.
    let path = geteuid() == 0 ? shelf.directory : "/"
    if geteuid() == 0 {
      try shelf.make("file", Data())
      chown(path, 65_534, 65_534)
    }
    #expect(throws: JournalError.directory(path, reason: "it belongs to user \(geteuid() == 0 ? 65_534 : 0)")) {
      try Journal(JournalConfiguration(directory: path))
    }
  }
}
