import CoordinatorKit
import Testing

@testable import Accounts

@Suite("The account manager", .timeLimit(.minutes(5)))
struct CryptAccountManagerTests {
  let time = ManualTime()
  let manager: CryptAccountManager

  init() {
    let users = ["anna": Hashes.bcrypt, "bert": Hashes.bcrypt, "lock": "!" + Hashes.bcrypt, "none": "", "é": Hashes.bcrypt]
    manager = CryptAccountManager(store: MemoryAccountStore(accounts: AccountList(hashes: users)), time: time)
  }

  func start(_ name: String, _ password: String = Hashes.password) -> Task<Verdict, any Error> {
    Task { try await manager.check(name, password: Secret(password)) }
  }

  /// Starts a check while others sleep, and waits until it must wait for their verdicts.
  func startWaiting(_ name: String) async throws -> Task<Verdict, any Error> {
    let reads = time.reads.value
    let check = start(name)
    // The manager reads the time when the check begins and when it asks for a guess.
    try await time.reads.until { $0 == reads + 2 }
    return check
  }

  /// Runs a single check and advances the time that it takes.
  func check(_ name: String, _ password: String = Hashes.password) async throws -> Verdict {
    let check = start(name, password)
    try await time.sleeping(1)
    time.advance(by: .milliseconds(200))
    return try await check.value
  }

  @Test("Only the right password of an existing, unlocked user is accepted")
  func onlyTheRightPasswordIsAccepted() async throws {
    #expect(try await check("anna") == .accepted)
    #expect(try await check("anna", "hello world!") == .wrong)
    #expect(try await check("anna", "") == .wrong)
    for name in ["Anna", "", "anna\0", "lock", "none", "e\u{301}"] {
      #expect(try await check(name) == .wrong)
      #expect(try await check(name, "") == .wrong)
    }
  }

  @Test("The default account is demo with the password open-sesame")
  func demoAccountHasItsPassword() async throws {
    #expect(DemoAccount.hashes.keys.sorted() == ["demo"])
    let hash = try #require(DemoAccount.hashes["demo"].flatMap(PasswordHash.init))
    #expect(hash.matches(Secret("open-sesame")))
    #expect(!hash.matches(Secret("demo")))
  }

  @Test("Every check takes 200 ms, whatever its verdict")
  func everyCheckTakesTheSameTime() async throws {
    for _ in 1...5 { _ = try await check("bert", "") }
    for (name, verdict) in [("anna", Verdict.accepted), ("lock", .wrong), ("x", .wrong), ("bert", .tooManyAttempts)] {
      let task = start(name)
      try await time.sleeping(1)
      time.advance(by: .milliseconds(199))
      try await time.sleeping(1)
      time.advance(by: .milliseconds(1))
      #expect(try await task.value == verdict)
    }
  }

  @Test("Five wrong answers in a row refuse a name for 30 s, even an unknown one", arguments: ["anna", "x"])
  func fiveWrongAnswersRefuseTheName(name: String) async throws {
    for _ in 1...4 { #expect(try await check(name, "") == .wrong) }
    #expect(try await check(name, "") == .tooManyAttempts)
    #expect(try await check(name) == .tooManyAttempts)
    #expect(try await check("bert") == .accepted)
    time.advance(by: .seconds(29))
    #expect(try await check(name) == .tooManyAttempts)
    time.advance(by: .seconds(1))
    #expect(try await check(name) == (name == "anna" ? .accepted : .wrong))
  }

  @Test("Many checks run at once, but for one name no more than it has guesses left")
  func manyChecksRunAtOnceWithinTheGuesses() async throws {
    let bert = start("bert")
    let anna = (1...5).map { _ in start("anna", "") }
    try await time.sleeping(6)
    let sixth = try await startWaiting("anna")
    time.advance(by: .milliseconds(200))
    #expect(try await bert.value == .accepted)
    var verdicts: [Verdict] = []
    for task in anna { verdicts.append(try await task.value) }
    #expect(verdicts.filter { $0 == .wrong }.count == 4)
    #expect(verdicts.filter { $0 == .tooManyAttempts }.count == 1)
    // The 200 ms of the sixth check have passed as well.
    #expect(try await sixth.value == .tooManyAttempts)
  }

  @Test("The sixth check at once may run if one of the five was right")
  func sixthCheckRunsAfterARightAnswer() async throws {
    let anna = (1...5).map { start("anna", $0 == 3 ? Hashes.password : "") }
    try await time.sleeping(5)
    let sixth = try await startWaiting("anna")
    time.advance(by: .milliseconds(200))
    for task in anna { #expect(try await task.value != .tooManyAttempts) }
    // The 200 ms of the sixth check have passed as well.
    #expect(try await sixth.value == .accepted)
  }

  @Test("A cancelled check does not count and lets the waiting ones continue")
  func cancelledCheckDoesNotCount() async throws {
    let five = (1...5).map { _ in start("anna", "") }
    try await time.sleeping(5)
    let waiting = start("anna")
    let impatient = start("anna")
    impatient.cancel()
    await #expect(throws: CancellationError.self) { try await impatient.value }
    for task in five { task.cancel() }
    for task in five { await #expect(throws: CancellationError.self) { try await task.value } }
    try await time.sleeping(1)
    time.advance(by: .milliseconds(200))
    #expect(try await waiting.value == .accepted)
    for _ in 1...4 { #expect(try await check("anna", "") == .wrong) }
    #expect(try await check("anna", "") == .tooManyAttempts)
  }
}
