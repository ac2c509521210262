import CoordinatorKit
import DBus
import Glibc
import Platform
import RendererKit
import Testing

@testable import LinearTerminal

@Suite("A question that belongs to no flow", .timeLimit(.minutes(5)))
struct LinearQuestionTests {
  private let form = Screen.form(
    "account", title: "Your account",
    form: Form(Field("login", .string(title: "Log-in name", length: 2...4)), Field("pin", .secret(title: "PIN"))),
    actions: [.primary("submit", "Continue"), Action("later", "Later")])

  /// Asks about a screen, and returns how that ends, and what was written.
  private func ask(
    _ screen: Screen, _ input: String, _ kind: LinearTerminal.Kind = .terminal, endsInput: Bool = true
  ) async throws -> (LinearQuestion.End, String) {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    try #require(write(ends[1], input, input.utf8.count) == input.utf8.count)
    if endsInput { close(ends[1]) }
    defer { if !endsInput { close(ends[1]) } }
    let written = Lock("")
    var terminal = TerminalScreen(environment: [:])
    (terminal.kind, terminal.style) = (kind, TextStyle())
    let question = LinearQuestion(screen, on: terminal, reader: LineReader(descriptor: ends[0])) { text in
      written.withLock { $0 += text }
    }
    return (await question.ask(), written.withLock(\.self))
  }

  @Test("An answer is what the screen takes, with the secrets apart")
  func answerIsAPayload() async throws {
    let (end, written) = try await ask(form, "a\nada\nsesame\n\n")
    guard case .answered("submit", let payload) = end else {
      Issue.record("\(end)")
      return
    }
    #expect(payload.values == ["login": "ada"])
    #expect(payload.secret("pin")?.withBytes { $0.withUnsafeBufferPointer { Array($0) } } == Array("sesame".utf8))
    #expect(written.contains("Log-in name must have 2 to 4 characters\n"))
    #expect(!written.contains("sesame") && !written.contains("q leaves"))
  }

  @Test("Another action is answered without the fields")
  func otherActionHasNoPayload() async throws {
    guard case .answered("later", let payload) = try await ask(form, "!later\n").0 else {
      Issue.record("the action was not chosen")
      return
    }
    #expect(payload.values.isEmpty && payload.secrets.isEmpty)
  }

  @Test("A user who leaves, or ends the input, has not answered", arguments: ["q\n", "ada\n:q\n", "", "ada\n"])
  func leavingIsNoAnswer(input: String) async throws {
    guard case .left = try await ask(form, input).0 else {
      Issue.record("the question was answered")
      return
    }
  }

  @Test("There is no way back")
  func thereIsNoWayBack() async throws {
    let (end, written) = try await ask(form, ":b\n:q\n")
    guard case .left = end else {
      Issue.record("\(end)")
      return
    }
    #expect(written.contains("There is no way back from this screen.\n"))
  }

  @Test("A question whose time is over needs no answer")
  func timeIsOver() async throws {
    var screen = form
    screen.elapses = ClockTimer.Clock.elapsed.now
    guard case .timedOut = try await ask(screen, "", endsInput: false).0 else {
      Issue.record("the question was answered")
      return
    }
  }
}
