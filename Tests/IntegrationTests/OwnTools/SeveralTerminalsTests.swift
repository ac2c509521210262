import CoordinatorBus
import CoordinatorClient
import TestBus
import Testing

@Suite("coordinator-tui in several terminals", .timeLimit(.minutes(5)))
struct SeveralTerminalsTests {
  @Test("Two terminals on one flow follow each other, and both end when a third client dismisses it")
  func twoTerminalsFollowEachOther() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let pets = try await Flow.start("pets", client, options: Options(token: "mine"))
    let tool = try Built.executable("coordinator-tui")
    let terminals = try await Terminals.start(
      [[tool, "mine", "--linear"], [tool, "mine", "--linear"]], environment: daemon.environment)
    // A line that is typed before the prompt is not read as an answer.
    func prompts(_ count: Int) async throws {
      for pane in 0...1 { try await terminals.pane(pane, shows: "Choice", times: count) }
    }
    for pane in 0...1 { try await terminals.pane(pane, shows: "Happy Tails Animal Clinic") }
    try await prompts(1)
    #expect(try await client.managerProperty("Renderers") == .uint32(2))

    terminals.type("1", in: 0)
    for pane in 0...1 { try await terminals.pane(pane, shows: "What is the visit for?") }
    try await prompts(2)
    terminals.type("2", in: 1)
    for pane in 0...1 { try await terminals.pane(pane, shows: "How much does it hurt?") }
    try await prompts(3)
    terminals.type("b", in: 0)
    for pane in 0...1 { try await terminals.pane(pane, shows: "What is the visit for?", times: 2) }
    try await prompts(4)
    terminals.type("b", in: 1)
    for pane in 0...1 { try await terminals.pane(pane, shows: "No visit was scheduled.") }
    #expect(try await pets.screens() == ["1 home"])

    _ = try await pets.coordinator.dismiss()
    for pane in 0...1 { try await terminals.pane(pane, shows: "The flow was cancelled.") }
  }
}
