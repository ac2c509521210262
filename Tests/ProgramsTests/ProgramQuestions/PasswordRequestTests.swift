import Forms
import ProgramQuestions
import Testing

/// Files as systemd 252 writes them.
@Suite("The password agent of systemd", .timeLimit(.minutes(1)))
struct PasswordRequestTests {
  private static let file = """
    [Ask]
    PID=8262
    Socket=/run/systemd/ask-password/sck.6c00e0c547deeff9
    AcceptCached=0
    Echo=0
    NotAfter=2190314291
    Silent=0
    Message=Please enter passphrase for disk:
    Icon=drive-harddisk
    Id=test:1

    """

  @Test("A file is a request with a secret field")
  func reading() throws {
    let request = try PasswordRequest(Self.file)
    #expect(request.process == 8262)
    #expect(request.socket == "/run/systemd/ask-password/sck.6c00e0c547deeff9")
    #expect(request.notAfter == 2_190_314_291)
    #expect(request.icon == "drive-harddisk")
    #expect(!request.acceptsCached)
    #expect(request.echo == .hidden)
    let screen = request.question(clock: 1_000_000_000_000_000).told
    #expect(screen["name"] == "systemd-password/test:1")
    #expect(screen["body"] == "Please enter passphrase for disk:")
    #expect(screen["schema"]?["properties"]?["password"]?["writeOnly"] == true)
    #expect(screen["until"] == 1_000_002_190_314_291)
    #expect(request.question().told["until"] == nil)
  }

  @Test("The answer is one datagram: + and the password, or -")
  func answers() throws {
    let request = try PasswordRequest(Self.file)
    #expect(request.datagram(for: .okay(secrets: ["password": "s3crét"])) == Array("+s3crét".utf8))
    #expect(request.datagram(for: .okay(secrets: ["password": ""])) == Array("+".utf8))
    #expect(request.datagram(for: .action("cancel")) == Array("-".utf8))
    #expect(request.datagram(for: .back) == Array("-".utf8))
    #expect(request.datagram(for: .okay(["password": "not secret"])) == Array("-".utf8))
    #expect(PasswordRequest.datagram(passwords: [[0x61], [0x62, 0, 0x63]]) == [0x2B, 0x61, 0, 0x62, 0x63])
  }

  @Test("A request that has expired, or whose process is gone, is not asked")
  func state() throws {
    let request = try PasswordRequest(Self.file)
    #expect(request.state(at: 2_190_314_290) { $0 == 8262 } == .open)
    #expect(request.state(at: 2_190_314_291) { _ in true } == .expired)
    #expect(request.state(at: 0) { _ in false } == .abandoned)
    let forever = try PasswordRequest("[Ask]\nSocket=/s\nNotAfter=0\nEcho=1\n")
    #expect(forever.state(at: .max) { _ in false } == .open)
    #expect(forever.datagram(for: .okay(["password": "user"])) == Array("+user".utf8))
    #expect(forever.question(clock: 5).told["until"] == nil)
    #expect(forever.name == "systemd-password")
  }

  @Test(
    "Files that are no requests are refused",
    arguments: [
      ("", .missing("Socket")), ("Socket=/s", .missing("Socket")), ("[Other]\nSocket=/s", .missing("Socket")),
      ("[Ask]\nSocket=s", .malformed("Socket")), ("[Ask]\nSocket=/s\nPID=x", .malformed("PID")),
      ("[Ask]\nSocket=/s\nPID=0", .malformed("PID")), ("[Ask]\nSocket=/s\nNotAfter=-1", .malformed("NotAfter")),
      ("[Ask]\nSocket=/" + String(repeating: "s", count: 107), .malformed("Socket")),
    ] as [(String, PasswordRequestError)])
  func refusals(text: String, error: PasswordRequestError) {
    #expect(throws: error) { try PasswordRequest(text) }
  }

  @Test("Requests are the files whose names begin with ask.")
  func names() {
    #expect(
      ["ask.zwjmQy", "sck.6c00e0c5", "ask", ".ask.x", "ask./x"].map(PasswordRequest.isRequest) == [
        true, false, false, false, false,
      ])
  }

  @Test("A key ends at the first equals sign, and a line at its line break, also if a mark follows")
  func marks() throws {
    let request = try PasswordRequest(
      "[Ask]\nSocket=/s\nMessage=\u{301}x=y\nId=\u{FE0F}z\n#\u{301}Icon=comment\n;\u{301}Icon=too\n")
    #expect(Array(request.message.utf8) == Array("\u{301}x=y".utf8))
    #expect(Array(request.id.utf8) == Array("\u{FE0F}z".utf8))
    #expect(request.icon == "")
    #expect(!PasswordRequest.isRequest("ask./\u{301}x"))
    #expect(throws: PasswordRequestError.missing("Socket")) { try PasswordRequest("[\u{301}Ask]\nSocket=/s") }
  }
}
