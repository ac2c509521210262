import CoordinatorKit
import FoundationEssentials
import Glibc
import Platform
import Testing

@testable import Accounts

@Suite("Accounts in a file", .timeLimit(.minutes(5)))
struct FileAccountTests {
  static let users =
    #"{"users": {"anna": {"hash": "\#(Hashes.bcrypt)", "note": "x"}, "bert": {"hash": "\#(Hashes.bcrypt)"}}, "note": [1]}"#

  let time = ManualTime()
  let file: TemporaryFile
  let notices = Lock<[AccountsNotice]>([])

  init() throws { file = try TemporaryFile(Self.users) }

  /// Returns a manager in its state after a restart.
  func restarted() -> CryptAccountManager {
    let notices = notices
    return CryptAccountManager(
      store: FileAccountStore(path: file.path, time: time) { notice in notices.withLock { $0.append(notice) } }, time: time)
  }

  @Test("The shipped sample file works")
  func shippedSampleFileWorks() async throws {
    let top = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    try file.write(String(contentsOf: top.appending(path: "Examples/accounts.json"), encoding: .utf8))
    let manager = restarted()
    #expect(try await manager.check("anna", "tea-at-five", in: time) == .accepted)
    #expect(try await manager.check("bert", "rain-in-may", in: time) == .accepted)
    #expect(try await manager.check("carl", "!", in: time) == .wrong)
    #expect(notices.withLock(\.self) == [])
  }

  @Test("A restart resets neither the count nor a refusal", arguments: ["anna", "x"])
  func restartKeepsTheCount(name: String) async throws {
    for number in 1...5 {
      #expect(try await restarted().check(name, "", in: time) == (number < 5 ? .wrong : .tooManyAttempts))
    }
    time.advance(by: .seconds(29))
    #expect(try await restarted().check(name, in: time) == .tooManyAttempts)
    time.advance(by: .seconds(1))
    #expect(try await restarted().check(name, in: time) == (name == "anna" ? .accepted : .wrong))
  }

  @Test("If the clock is set back, no user waits longer than 30 s, before or after a restart")
  func clockSetBackNeverExtendsARefusal() async throws {
    let manager = restarted()
    for _ in 1...5 { _ = try await manager.check("anna", "", in: time) }
    time.wallClock -= 86_400_000
    let other = restarted()
    #expect(try await manager.check("anna", in: time) == .tooManyAttempts)
    #expect(try await other.check("anna", in: time) == .tooManyAttempts)
    time.advance(by: .seconds(30))
    #expect(try await manager.check("anna", in: time) == .accepted)
    #expect(try await other.check("anna", in: time) == .accepted)
  }

  @Test("A count is written before the verdict is returned, and an unchanged one is not written")
  func countIsWrittenBeforeTheAnswer() async throws {
    let manager = restarted()
    let before = file.status.st_ino
    #expect(try await manager.check("anna", in: time) == .accepted)
    #expect(file.status.st_ino == before)
    _ = try await manager.check("anna", "", in: time)
    #expect(try AccountDocument(text: Array(file.text.utf8)).attempts[.user("anna")]?.wrong == 1)
    let after = file.status.st_ino
    #expect(after != before)
    _ = try await manager.check("anna", in: time)
    #expect(file.status.st_ino != after)
    #expect(try AccountDocument(text: Array(file.text.utf8)).attempts == [:])
  }

  @Test("Neither a typed name that is unknown nor a password is written to the file")
  func typedNamesAndPasswordsAreNotWritten() async throws {
    let manager = restarted()
    _ = try await manager.check("my-pass-word", "open-sesame", in: time)
    _ = try await manager.check("anna", "open-sesame", in: time)
    #expect(try !file.text.contains("my-pass-word") && !file.text.contains("sesame"))
  }

  @Test("Owner, mode, link and unknown keys are kept, and no other file is left behind")
  func metadataAndUnknownKeysAreKept() async throws {
    let link = file.folder + "/link.json"
    symlink("accounts.json", link)
    chmod(file.path, 0o640)
    // Only root may do this; for other users the owner stays the same.
    chown(file.path, 12_345, 12_345)
    let before = file.status
    try Data("x".utf8).write(to: URL(filePath: file.folder + "/.accounts.json.new"))
    let manager = CryptAccountManager(store: FileAccountStore(path: link, time: time) { _ in }, time: time)
    #expect(try await manager.check("anna", "", in: time) == .wrong)
    let after = file.status
    #expect(after.st_ino != before.st_ino)
    #expect([after.st_uid, after.st_gid, after.st_mode] == [before.st_uid, before.st_gid, before.st_mode])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "accounts.json")
    #expect(try file.names == ["accounts.json", "link.json"])
    #expect(try file.text.contains(#""note" : "x""#) && file.text.contains(#""note" : ["#))
  }

  @Test("Edits by an administrator apply to the next check")
  func editsByAnAdministratorTakeEffectAtOnce() async throws {
    let manager = restarted()
    for _ in 1...5 { _ = try await manager.check("anna", "", in: time) }
    #expect(try await manager.check("anna", in: time) == .tooManyAttempts)
    try file.write(Self.users)
    #expect(try await manager.check("anna", in: time) == .accepted)
    try file.write(#"{"users": {"carl": {"hash": "\#(Hashes.bcrypt)"}}, "attempts": {"users": {"carl": {"wrong": 4}}}}"#)
    #expect(try await manager.check("anna", in: time) == .wrong)
    #expect(try await manager.check("carl", "", in: time) == .tooManyAttempts)
  }

  @Test("A file that others can read is used and reported once, and so is an unusable hash")
  func readableFileAndUnusableHashAreReportedOnce() async throws {
    try file.write(
      #"{"users": {"anna": {"hash": "\#(Hashes.bcrypt)"}, "bert": {"hash": "$1$abcd$SwRG"}, "carl": {"hash": "!"}}}"#, mode: 0o644
    )
    let manager = restarted()
    try await manager.verify()
    #expect(try await manager.check("anna", in: time) == .accepted)
    #expect(try await manager.check("bert", "", in: time) == .wrong)
    #expect(
      Set(notices.withLock(\.self)) == [
        .readableByOthers(file: file.path), .unusableHash(file: file.path, username: "bert"),
      ])
    #expect(notices.withLock(\.count) == 2)
    #expect(!notices.withLock { "\($0.map(\.description))" }.contains("SwRG"))
    chmod(file.path, 0o600)
    try await manager.verify()
    chmod(file.path, 0o644)
    try await manager.verify()
    #expect(notices.withLock(\.last) == .readableByOthers(file: file.path))
    #expect(notices.withLock(\.count) == 3)
  }
}
