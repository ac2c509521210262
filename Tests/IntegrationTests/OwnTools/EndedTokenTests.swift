import TestBus
import Testing

@Suite("The tools and the token of an ended flow", .timeLimit(.minutes(5)))
struct EndedTokenTests {
  private let answers: Answers

  private static let visit = """
    flow: schedule-visit
    answers: { schedule-visit: { select-visit-type: well, no-appointment-required: okay } }

    """

  init() async throws {
    answers = try await Answers()
    _ = try await answers.control(["start", "schedule-visit", "--token", "mine"])
    _ = try await answers.control(["dismiss", "mine"])
  }

  private func control(_ arguments: String...) async throws -> ProgramReport { try await answers.control(arguments) }

  @Test("'coordinatorctl start' says how to free the token of an ended flow, and --fresh starts the flow again")
  func startSaysHowToFreeATokenAndFreshStartsAgain() async throws {
    let refused = try await control("start", "schedule-visit", "--token", "mine")
    #expect(refused.status == .exited(6))
    #expect(refused.errors.contains("nothing was started: 'mine' has already ended (cancelled)"))
    #expect(refused.errors.contains("repeat the command with --fresh, or run 'coordinatorctl forget mine'"))
    for _ in 0..<2 {
      let fresh = try await control("start", "schedule-visit", "--token", "mine", "--fresh")
      #expect(fresh.status == .exited(0), "\(fresh)")
      #expect(fresh.output == "mine\n")
      #expect(fresh.errors.isEmpty)
    }
    #expect(try await answers.active() == ["mine"])
  }

  @Test("'coordinatorctl run' warns that it repeats the outcome of an ended flow")
  func runWarnsThatItRepeatsAnOutcome() async throws {
    let report = try await control("run", "schedule-visit", "--token", "mine")
    #expect(report.status == .exited(3))
    #expect(report.output == "The flow was cancelled.\n")
    #expect(report.errors.hasPrefix("coordinatorctl: nothing was started: 'mine' has already ended (cancelled)"))
    #expect(report.errors.contains("--fresh"))
  }

  @Test("'coordinatorctl run --fresh' runs the flow of an ended token again")
  func freshRunRunsAgain() async throws {
    let client = try await answers.daemon.client()
    let signals = try await client.signals(of: answers.daemon)
    let run = try answers.daemon.launch(
      Built.executable("coordinatorctl"), "run", "schedule-visit", "--token", "mine", "--fresh")
    try await signals.first("FlowStarted")
    _ = try await control("dismiss", "mine")
    let report = await run.ended()
    #expect(report.status == .exited(3))
    #expect(report.errors.isEmpty, "\(report)")
  }

  @Test("'coordinatorctl answer --fresh' plays a flow again, and without it, says why it has played nothing")
  func freshAnswerPlaysAgain() async throws {
    let fresh = try await answers.play(Self.visit, "--token", "mine", "--fresh")
    #expect(fresh.status == .exited(0), "\(fresh)")
    #expect(fresh.output == "visit: well\n")
    #expect(fresh.errors.isEmpty)
    let again = try await answers.play(Self.visit, "--token", "mine")
    #expect(again.status == .exited(0))
    #expect(again.output == "visit: well\n")
    #expect(again.errors.hasPrefix("coordinatorctl: nothing was started: 'mine' has already ended (finished)"))
  }

  @Test("'coordinatorctl forget' frees a token for any flow, and says whether there was something to forget")
  func forgetFreesAToken() async throws {
    let other = try await control("start", "pets", "--token", "mine")
    #expect(other.status == .exited(1))
    #expect(other.errors.contains("free this one with 'coordinatorctl forget' once its flow has ended"))
    #expect(try await control("forget", "mine").output == "'mine' can start a flow again.\n")
    let nothing = try await control("forget", "mine", "--json")
    #expect(nothing.status == .exited(0))
    #expect(nothing.output == #"{"forgotten":false}"# + "\n")
    #expect(try await control("forget", "mine").output == "No flow with the token 'mine' has ended.\n")
    #expect(try await control("start", "pets", "--token", "mine").status == .exited(0))
    let running = try await control("forget", "mine")
    #expect(running.status == .exited(1))
    #expect(running.errors.contains("end the flow first with: coordinatorctl dismiss mine"))
  }

  @Test("'coordinatorctl record' starts nothing for the token of an ended flow, and writes no file")
  func recordRefusesTheTokenOfAnEndedFlow() async throws {
    let report = try await control("record", "schedule-visit", "--token", "mine", "-o", answers.path("recorded.yaml"))
    #expect(report.status == .exited(6), "\(report)")
    #expect(report.errors.contains("run 'coordinatorctl forget mine', or use another token"))
    #expect(!report.errors.contains("--fresh"))
  }

  @Test("--fresh without a token, and for a child, is a usage error")
  func freshNeedsAToken() async throws {
    #expect(try await control("start", "pets", "--fresh").status == .exited(64))
    #expect(try await control("run", "pets", "--fresh").status == .exited(64))
    #expect(try await control("start", "pets", "--fresh", "--style", "modal").status == .exited(64))
    #expect(try await answers.play(Self.visit, "--fresh").status == .exited(64))
  }
}
