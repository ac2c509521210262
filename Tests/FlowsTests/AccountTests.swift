import Accounts
import CoordinatorKit
import CoordinatorTestKit
import Flows
import Testing

@Suite("The flow account", .timeLimit(.minutes(5)))
struct AccountTests {
  /// An account manager whose verdict is determined by the password.
  private struct Parrot: AccountManager {
    struct Broken: Error {}
    func check(_ username: String, password: Secret) async throws -> Verdict {
      switch password.withString({ $0 }) {
      case "right": return .accepted
      case "wrong": return .wrong
      case "again": return .tooManyAttempts
      case "never":
        // Longer than any test takes, so that only a cancellation ends the check.
        try await Task.sleep(for: .seconds(3600))
        throw Broken()
      default: throw Broken()
      }
    }
  }

  private func started() async throws -> TestFlow { try await TestFlow.start("account", in: .builtIn(accounts: Parrot())) }

  private func submit(_ flow: TestFlow, _ password: String) async throws {
    try await flow.send("submit", ["username": "anna", "password": .string(password)])
  }

  private func answered(_ flow: TestFlow) async throws -> Screen {
    let state = await flow.renderer.state { $0.window.top?.content.progress == nil }
    return try #require(state.window.top?.content)
  }

  @Test("The log-in form of account has a name and a password that is secret")
  func logInFormHasNameAndSecretPassword() async throws {
    let screen = try await started().top.content
    #expect(screen.name == "log-in")
    #expect(screen.kind == .form)
    #expect(screen.form?.order == ["username", "password"])
    #expect(screen.form?.schema.secretFields == ["password"])
    #expect(screen.actions.map(\.id) == ["submit", "cancel"])
  }

  @Test("During a check the form of account is busy and cannot be submitted, while Cancel and Back work")
  func formIsBusyDuringTheCheck() async throws {
    for leave in ["cancel", "back"] {
      let flow = try await started()
      try await submit(flow, "never")
      let screen = try await flow.top.content
      #expect(screen.name == "log-in")
      #expect(screen.progress != nil)
      #expect(screen.actions.map(\.id) == ["cancel"])
      if leave == "cancel" { try await flow.send("cancel") } else { try await flow.back() }
      #expect(try await flow.outcome == .cancelled)
      #expect(flow.tree.runningWork == 0)
    }
  }

  @Test(
    "A check that does not accept shows the form again with its reason and the typed name",
    arguments: [("wrong", "invalid-credentials"), ("again", "too-many-attempts"), ("broken", "unavailable")])
  func refusedCheckShowsTheFormAgain(password: String, code: String) async throws {
    let flow = try await started()
    let id = try await flow.top.id
    try await submit(flow, password)
    let screen = try await answered(flow)
    #expect(try await flow.top.id == id)
    #expect(screen.messages.map(\.code) == [code])
    #expect(screen.messages.map(\.level) == [.error])
    #expect(screen.values == ["username": "anna"])
    #expect(screen.actions.map(\.id) == ["submit", "cancel"])
  }

  @Test("The right password leads to the profile, log-out back to the form, and done ends the flow with the name")
  func rightPasswordLeadsToTheProfile() async throws {
    let flow = try await started()
    try await submit(flow, "right")
    #expect(try await answered(flow).name == "user-profile")
    #expect(try await flow.names == ["user-profile"])
    #expect(try await flow.top.content.body.contains("anna"))
    #expect(try await flow.top.content.actions.map(\.id) == ["log-out", "done"])
    try await flow.send("log-out")
    #expect(try await flow.names == ["log-in"])
    try await submit(flow, "right")
    _ = try await answered(flow)
    try await flow.send("done")
    #expect(try await flow.outcome == .finished(["username": "anna"]))
  }

  @Test("The built-in account is demo with the password open-sesame")
  func shippedAccountIsDemo() async throws {
    let flow = try await TestFlow.start("account", in: .builtIn())
    try await flow.send("submit", ["username": "demo", "password": "open-sesame"])
    #expect(try await answered(flow).name == "user-profile")
  }
}
