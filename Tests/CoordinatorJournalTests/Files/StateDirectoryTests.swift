import CoordinatorKit
import Foundation
import TestBus
import Testing

@testable import CoordinatorJournal

@Suite("The directory of a journal")
struct StateDirectoryTests {
  let shelf: Shelf

  init() throws { shelf = try Shelf() }

  @Test("is made with those that it is in, for its user alone, and so are the files")
  func made() async throws {
    let deep = shelf.path("a/b/c")
    let journal = try Journal(JournalConfiguration(directory: deep))
    try await journal.start(.sample("counter_1", 1))
    for directory in ["", "a", "a/b", "a/b/c"] { #expect(try shelf.mode(directory) == 0o700) }
    let files = try FileManager.default.contentsOfDirectory(atPath: deep)
    #expect(Set(files) == ["lock", "reserve", "journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"])
    for file in files { #expect(try shelf.mode("a/b/c/\(file)") == 0o600) }
  }

  @Test("is for its user alone whatever the umask", arguments: ["0000", "0022", "0777"])
  func umask(_ mask: String) async throws {
    let writer = try await Writer(in: shelf.directory, trees: 1, umask: mask)
    #expect(try shelf.mode() == 0o700)
    for file in try shelf.files() { #expect(try shelf.mode(file) == 0o600) }
    _ = await writer.kill()
  }

  @Test("is taken from others who could look into it, and so is the database")
  func opened() throws {
    try shelf.open().close()
    for file in ["", Journal.fileName] {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: shelf.path(file))
    }
    let journal = try shelf.open()
    #expect(try shelf.mode() == 0o700)
    #expect(try shelf.mode(Journal.fileName) == 0o600)
    #expect(journal.notices.isEmpty)
  }

  @Test("may have any name")
  func names() async throws {
    for name in ["with space", "ü?x=1#%41", "file:x"] {
      let journal = try Journal(JournalConfiguration(directory: shelf.path(name)))
      try await journal.start(.sample("counter_1", 1))
      journal.close()
      #expect(FileManager.default.fileExists(atPath: shelf.path("\(name)/journal.sqlite")))
    }
  }

  @Test("is for one daemon at a time, and for the next one when that is done")
  func twice() throws {
    let first = try shelf.open()
    #expect(throws: JournalError.inUse(directory: shelf.directory)) { try shelf.open() }
    first.close()
    try shelf.open().close()
  }

  @Test("says who has it to others that want it, who say nothing of themselves")
  func holder() throws {
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

  @Test("is still taken while somebody can store in it")
  func stored() async throws {
    var journal: Journal? = try shelf.open()
    let store = journal?.store(of: .sample("counter_1", 1), in: shelf.catalogue)
    journal = nil
    #expect(throws: JournalError.inUse(directory: shelf.directory)) { try shelf.open() }
    withExtendedLifetime(store) {}
  }

  @Test("is for one process at a time, and for the next one when that was killed")
  func processes() async throws {
    let writer = try await Writer(in: shelf.directory, trees: 1)
    #expect(throws: JournalError.inUse(directory: shelf.directory)) { try shelf.open() }
    let other = try await Writer.refused(in: shelf.directory)
    #expect(other.status == .exited(1))
    #expect(other.output.hasPrefix("not opened: another daemon uses the state directory"))
    _ = await writer.kill()
    #expect(try await shelf.open().roots().live.count == 1)
  }

  @Test("that is a file, below a file, or nowhere, is named in the error")
  func impossible() throws {
    try shelf.make("file", Data())
    for path in [shelf.path("file"), shelf.path("file/below"), ""] {
      #expect {
        try Journal(JournalConfiguration(directory: path))
      } throws: { error in
        if case JournalError.directory(path, _) = error { true } else { false }
      }
    }
  }

  @Test("that is another user's is not used")
  func foreign() throws {
    // Root's, unless the tests are root's too.
    let path = geteuid() == 0 ? shelf.directory : "/"
    if geteuid() == 0 {
      try shelf.make("file", Data())
      chown(path, 65_534, 65_534)
    }
    #expect(throws: JournalError.directory(path, reason: "it belongs to the user \(geteuid() == 0 ? 65_534 : 0)")) {
      try Journal(JournalConfiguration(directory: path))
    }
  }
}
