import TestBus
import Testing

@Suite("The flow account with an account file, played with busctl", .timeLimit(.minutes(5)))
struct AccountFileByBusctlTests {
  @Test("Five wrong passwords lock only that user out, in every tree and in the next daemon")
  func fiveWrongPasswordsLockTheUserOut() async throws {
    let directory = try AccountsDirectory(users: ["anna": Self.openSesame, "bert": Self.openSesame])
    let arguments = ["--accounts", directory.file]
    let first = try await RunningDaemon.start(arguments)
    for count in 1...5 {
      #expect(try await Self.answer("wrong", by: "anna", on: first) == [count < 5 ? "invalid-credentials" : "too-many-attempts"])
    }
    #expect(try await Self.answer("open-sesame", by: "anna", on: first) == ["too-many-attempts"])
    _ = await first.stop()
    let second = try await RunningDaemon.start(arguments)
    #expect(try await Self.answer("open-sesame", by: "anna", on: second) == ["too-many-attempts"])
    #expect(try await Self.answer("open-sesame", by: "bert", on: second) == ["user-profile"])
    // `demo` exists only without an account file.
    #expect(try await Self.answer("open-sesame", by: "demo", on: second) == ["invalid-credentials"])
  }

  /// Returns the result of a password in a new tree: the codes of the messages, or the screen that replaces the form.
  private static func answer(_ password: String, by user: String, on daemon: RunningDaemon) async throws -> [String] {
    let flow = try await BusctlFlow.start("account", on: daemon)
    try await flow.send("submit", ["username": user, "password": password])
    try await flow.untilAnswered()
    let top = try await flow.top
    return top.codes.isEmpty ? [top.text("name")] : top.codes
  }

  private static let openSesame = "$6$salt$8/XD02rghd6.s1bLB5oA/nvzayksEZZo5ZS9uxzkZap6hVb1BO6r5TEbmPN83hD3qPImdNY/pZ9hRZBO/1mQe/"
}
