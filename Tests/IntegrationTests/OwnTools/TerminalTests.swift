import TestBus
import Testing

@Suite("coordinator-tui over a pipe", .timeLimit(.minutes(5)))
struct TerminalTests {
  private let daemon: RunningDaemon

  init() async throws { daemon = try await RunningDaemon.start() }

  private func play(_ arguments: String..., input: String) async throws -> ProgramReport {
    try await Program.run(
      [Built.executable("coordinator-tui")] + arguments, environment: daemon.environment, input: input)
  }

  @Test("Over a pipe coordinator-tui plays a whole flow and prints each screen once")
  func wholeFlowIsPlayedOverAPipe() async throws {
    let report = try await play("schedule-visit", input: "2\n2\n1\n")
    #expect(report.status == .exited(0))
    #expect(
      report.output.hasPrefix(
        """

        What is the visit for?

          1) A check-up
          2) My pet is sick
        Choice: 2

        How much does it hurt?

          1) Not at all
          2) A little

        """))
    #expect(report.output.ranges(of: "Choice").count == 3)
    #expect(report.output.hasSuffix(Self.end(pain: "A little")))
  }

  /// Returns the output of a visit with a faked pain, in the words of its flow.
  private static func end(pain: String) -> String {
    """
    The flow has finished.
      Whether the pet is faking it: yes
      How much it hurts: \(pain)
      What the visit is for: My pet is sick

    """
  }

  @Test("Over a pipe coordinator-tui goes back, and cancels from the first screen")
  func firstScreenCanBeCancelled() async throws {
    let report = try await play("schedule-visit", input: "2\nb\nb\ny\n")
    #expect(report.status == .exited(3))
    #expect(report.output.hasSuffix("The flow was cancelled.\n"))
    #expect(report.output.ranges(of: "What is the visit for?").count == 2)
  }

  @Test("At the end of its input, coordinator-tui leaves, and the flow continues")
  func endOfInputLeavesTheFlowRunning() async throws {
    for input in ["", "q\n"] {
      let report = try await play("pets", "--token", "mine", input: input)
      #expect(report.status == .exited(0))
      #expect(report.output.hasSuffix("To return to it: coordinator-tui mine\n"))
    }
    #expect(try await daemon.client().manager.listActive().map(\.token) == ["mine"])
    #expect(try await play("mine", input: "").output.contains("1) Schedule a visit"))
  }

  @Test("'coordinator-tui' follows what another renderer does while it waits for an answer")
  func otherRenderersAreFollowedWhileWaiting() async throws {
    let other = try await Flow.start("schedule-visit", daemon.client())
    let terminal = try daemon.launch(Built.executable("coordinator-tui"), "schedule_visit_1")
    try await terminal.prints("Choice: ")
    try await other.send("sick")
    try await terminal.prints("Choice: ", times: 2)
    #expect(terminal.output.contains("How much does it hurt?"))
    terminal.write("1\n")
    try await terminal.prints("Choice: ", times: 3)
    try await other.send("is-fake")
    let report = await terminal.ended()
    #expect(report.status == .exited(0))
    #expect(report.output.hasSuffix(Self.end(pain: "Not at all")))
  }

  @Test("'coordinator-tui' waits for a crashed daemon and continues where it was")
  func terminalContinuesAfterACrashOfTheDaemon() async throws {
    let terminal = try daemon.launch(Built.executable("coordinator-tui"), "schedule-visit")
    try await terminal.prints("Choice: ")
    terminal.write("2\n")
    try await terminal.prints("Choice: ", times: 2)
    daemon.program.signal(9)
    try await terminal.prints("Waiting for it to come back.")
    let next = try await RunningDaemon.start(on: daemon.bus)
    try await terminal.prints("Choice: ", times: 3)
    terminal.write("5\n")
    try await terminal.prints("No appointment")
    _ = await next.stop()
  }

  @Test("'coordinator-tui' waits for a crashed daemon and reports that a flow that was not kept is gone")
  func flowThatWasNotKeptIsReportedGone() async throws {
    let terminal = try daemon.launch(Built.executable("coordinator-tui"), "pets")
    try await terminal.prints("Choice")
    daemon.program.signal(9)
    try await terminal.prints("Waiting for it to come back.")
    let next = try await RunningDaemon.start(on: daemon.bus, ["--ephemeral"])
    let report = await terminal.ended()
    #expect(report.output.hasSuffix("The flow is gone; its outcome is no longer known.\n"))
    #expect(report.status == .exited(1))
    _ = await next.stop()
  }

  @Test("All tools report that a stopped ephemeral daemon ended the flow, on the full screen and line by line")
  func stoppedEphemeralDaemonIsReported() async throws {
    let daemon = try await RunningDaemon.start(["--ephemeral"])
    let linear = try daemon.launch(Built.executable("coordinator-tui"), "pets", "--token", "stop")
    try await linear.prints("Choice")
    let signals = try await daemon.client().signals(of: daemon)
    let run = try daemon.launch(Built.executable("coordinatorctl"), "run", "pets")
    try await signals.first("FlowStarted")
    let terminals = try await Terminals.start([[Built.executable("coordinator-tui"), "stop"]], environment: daemon.environment)
    terminals.resize(columns: 80, rows: 24)
    try await terminals.screen(shows: "[ Schedule a visit ]")
    let sentence = "The program that runs the flow was stopped, and the flow has ended with it."
    _ = await daemon.stop()
    let report = await linear.ended()
    #expect(report.output.hasSuffix(sentence + "\n"), "\(report)")
    #expect(report.status == .exited(2))
    let ran = await run.ended()
    #expect(ran.status == .exited(2))
    try await terminals.screen(shows: sentence)
  }

  @Test("'coordinator-tui' suggests a flow for a misspelled name, and reports a missing daemon")
  func misspelledFlowAndMissingDaemonAreReported() async throws {
    let report = try await play("pest", input: "")
    #expect(report.status == .exited(1))
    #expect(report.errors.contains("did you mean 'pets'?"))
    let empty = try PrivateBus()
    #expect(try await play("pets", "--address", empty.address, input: "").status == .exited(2))
  }
}
