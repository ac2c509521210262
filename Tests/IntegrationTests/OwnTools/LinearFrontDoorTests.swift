import CoordinatorBus
import CoordinatorClient
import Foundation
import TestBus
import Testing

@Suite("The front door of coordinator-tui, line by line", .timeLimit(.minutes(5)))
struct LinearFrontDoorTests {
  private func play(_ daemon: RunningDaemon, _ lines: String...) async throws -> ProgramReport {
    try await Program.run(
      [Built.executable("coordinator-tui")], environment: daemon.environment, input: lines.map { $0 + "\n" }.joined())
  }

  @Test("Over a pipe, one line chooses what to start, and the flow's status is the tool's")
  func flowIsStartedOverAPipe() async throws {
    let daemon = try await RunningDaemon.start()
    let finished = try await play(daemon, "schedule-visit", "2", "2", "1")
    #expect(finished.status == .exited(0), "\(finished)")
    #expect(finished.output.contains("\nFlows\n") && finished.output.contains("  How much it hurts: A little\n"))
    let cancelled = try await play(daemon, "schedule-visit", "b", "y")
    #expect(cancelled.status == .exited(3), "\(cancelled)")
    #expect(cancelled.output.contains("The flow was cancelled.") && cancelled.output.ranges(of: "\nFlows\n").count == 1)
  }

  @Test("Over a pipe, a flow that runs is listed with its step, and can be attached to")
  func runningFlowIsChosenOverAPipe() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let pets = try await Flow.start("pets", client, options: Options(token: "mine"))
    let report = try await play(daemon, "mine", "schedule-visit")
    #expect(report.status == .exited(0), "\(report)")
    #expect(report.output.contains("Running:\n") && report.output.contains("nobody there; just now"))
    #expect(report.output.contains("To return to it: coordinator-tui mine"))
    try await pets.shows("select-visit-type")
  }

  @Test("On a terminal, the front door is shown again after a flow, and follows what starts elsewhere")
  func frontDoorIsShownAgain() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let tool = try Built.executable("coordinator-tui")
    let terminals = try await Terminals.start([[tool, "--linear"]], environment: daemon.environment)
    try await terminals.pane(0, shows: "Choice: ")
    _ = try await Flow.start("pets", client, options: Options(token: "mine"))
    try await terminals.pane(0, shows: "New: ")
    terminals.type("mine", in: 0)
    try await terminals.pane(0, shows: "Happy Tails Animal Clinic")
    try await terminals.pane(0, shows: "Choice [1]: ")
    terminals.type("q", in: 0)
    try await terminals.pane(0, shows: "To return to it: coordinator-tui mine")
    try await terminals.pane(0, shows: "Running:")
    terminals.type("schedule-visit", in: 0)
    try await terminals.pane(0, shows: "What is the visit for?")
    terminals.type("well", in: 0)
    try await terminals.pane(0, shows: "No appointment required")
    try await terminals.pane(0, shows: "Choice [1]: ", times: 2)
    terminals.type("okay", in: 0)
    try await terminals.pane(0, shows: "The flow has finished.")
    try await terminals.pane(0, shows: "Flows", times: 3)
    terminals.type("q", in: 0)
  }

  @Test("On a dumb terminal, a whole walk writes lines and nothing else")
  func dumbTerminalReadsLines() async throws {
    let daemon = try await RunningDaemon.start()
    let tool = try Built.executable("coordinator-tui")
    let terminals = try await Terminals.start([["env", "TERM=dumb", tool]], environment: daemon.environment)
    var count = 0
    func answer(_ line: String, after prompt: String) async throws {
      try await terminals.pane(0, shows: prompt)
      terminals.type(line, in: 0)
      count += 1
    }
    try await answer("/acc", after: "Choice: ")
    try await answer("account", after: "match.")
    try await answer("demo", after: "Field 1 of 2")
    try await answer("open-sesame", after: "Password: ")
    try await answer("1", after: "Check your answers:")
    try await answer("demo", after: "User name [demo]: ")
    try await answer("send", after: "Number to change, or send")
    try await answer("done", after: "Log out")
    try await terminals.pane(0, shows: "The flow has finished.")
    let written = terminals.written(in: 0)
    // The terminal's driver adds a carriage return to each line; tmux writes other characters than these in octal.
    let controls = written.replacing("\\015\\012", with: "").replacing("\\134", with: "").ranges(of: "\\")
    #expect(controls.isEmpty, "\(written)")
    #expect(!written.contains("open-sesame") && !written.contains("---") && !written.contains("──"))
  }
}
