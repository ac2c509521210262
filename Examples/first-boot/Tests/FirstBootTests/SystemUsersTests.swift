import CoordinatorKit
import Foundation
import Testing

@testable import first_boot_daemon

@Suite("The users of this system")
struct SystemUsersTests {
  /// A user that exists on no system, so that no account gets a password if this test fails.
  private let login = "nobody-whom-a-system-has"

  @Test("A password with a line break is never given to chpasswd, which would take it for two users")
  func passwordWithLineBreak() throws {
    let error = try #require(throws: Problem.self) {
      try SystemUsers().setPassword(Secret("12345678\n\(login):hacked"), of: login)
    }
    #expect(error.text.resolved(in: nil) == "A password has no line breaks.")
  }

  @Test(
    "An account is never removed, unless it is half of the one that is added",
    arguments: [
      "\(id):Ada Lovelace:*:$y$hash", "\(id):Ada Lovelace:*:!$y$hash", "\(id):Ada Lovelace:*:CaqqjgjsEgTyo",
      "\(id):Ada Lovelace:full:!", "\(id):Somebody Else:*:!",
    ])
  func accountStays(entry: String) throws {
    let (users, home) = try system(entry)
    let error = try #require(throws: Problem.self) { try users.add(Person(name: "Ada Lovelace", login: login)) }
    #expect(error.text.resolved(in: nil).hasPrefix("\(login) "), "\(error.text)")
    #expect(entry.contains("full") == FileManager.default.fileExists(atPath: home))
  }

  @Test("Half of a user is removed: one without a home and a password, or with an empty home that is still root's")
  func halfGoes() throws {
    for entry in ["\(Self.id):Ada Lovelace:*:!", "\(Self.id):Ada Lovelace:empty:!"] {
      let (users, home) = try system(entry)
      #expect(try users.fullName(of: login) == nil)
      let error = try #require(throws: Problem.self) { try users.add(Person(name: "Ada Lovelace", login: login)) }
      #expect(error.text.resolved(in: nil).hasPrefix("userdel:"), "\(error.text)")
      #expect(!FileManager.default.fileExists(atPath: home))
    }
  }

  @Test("A user with a home is whole, whatever the password", arguments: ["!", "*", "$y$hash"])
  func whole(hash: String) throws {
    let (users, _) = try system("\(getuid()):Ada Lovelace:empty:\(hash)")
    #expect(try users.fullName(of: login) == "Ada Lovelace")
    #expect(try users.hasPassword(login) == (hash.count > 1))
  }

  /// The ID of a user who does not run these tests.
  private static let id = getuid() + 4321

  /// Returns a system with one user, and the directory that is that user's home.
  private func system(_ entry: String) throws -> (SystemUsers, home: String) {
    let parts = entry.split(separator: ":").map(String.init)
    let directory = FileManager.default.temporaryDirectory.appending(path: "first-boot-\(UUID())")
    let home = directory.appending(path: "home")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    if parts[2] != "*" { try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true) }
    if parts[2] == "full" { try Data().write(to: home.appending(path: "letter")) }
    for (name, text) in [
      ("passwd", "\(login):x:\(parts[0]):\(parts[0]):\(parts[1]):\(home.path):/bin/bash\n"), ("group", ""),
      ("shadow", "\(login):\(parts[3]):19000::::::\n"),
    ] {
      try Data(text.utf8).write(to: directory.appending(path: name))
    }
    return (SystemUsers(directory: directory.path), home.path)
  }
}
