import Foundation
import TestBus
import Testing

@Suite("The modes of coordinatord's files", .timeLimit(.minutes(5)))
struct FileModeTests {
  @Test("The daemon's files are accessible to its user only, whatever the umask and their modes before")
  func filesAreReadableByTheirUserOnly() async throws {
    let bus = try PrivateBus()
    let directory = "\(bus.directory)/state"
    let accounts = try AccountsDirectory(users: ["anna": "$6$salt$x"])
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    for name in ["journal.sqlite", "journal.sqlite-wal"] {
      try "This is no database.".write(toFile: "\(directory)/\(name)", atomically: false, encoding: .utf8)
    }
    for (path, mode) in [("", 0o755), ("/journal.sqlite", 0o644), ("/journal.sqlite-wal", 0o666)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: directory + path)
    }
    let daemon = try await RunningDaemon.start(
      on: bus, through: ["sh", "-c", #"umask 0; exec "$@""#, "sh"], ["--state-dir", directory, "--accounts", accounts.file])
    let account = try await BusctlFlow.start("account", on: daemon)
    try await account.send("submit", ["username": "anna", "password": "wrong"])
    try await account.untilAnswered()
    #expect(try await account.top.codes == ["invalid-credentials"], "the accounts file was written")
    #expect(try mode(directory) == 0o700)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    #expect(names.count { $0.contains(".damaged-") } == 2, "\(names)")
    #expect(names.count == 7, "\(names)")
    for name in names { #expect(try mode("\(directory)/\(name)") == 0o600, "\(name)") }
    #expect(try mode(accounts.file) == 0o600)
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? Int) ?? -1
  }
}
