import CoordinatorClient
import Foundation
import TestBus
import Testing

@Suite("coordinator-tui without arguments", .timeLimit(.minutes(2)))
struct FrontDoorTests {
  private let daemon: RunningDaemon

  init() async throws { daemon = try await RunningDaemon.start() }

  private func open(_ arguments: [String] = [], columns: Int = 120, rows: Int = 30) async throws -> Terminals {
    let script = #"trap : INT; "$@"; echo "status $?""#
    let command = ["sh", "-c", script, "sh", try Built.executable("coordinator-tui")] + arguments
    let terminals = try await Terminals.start([command], environment: daemon.environment)
    terminals.resize(columns: columns, rows: rows)
    return terminals
  }

  @Test("starts a flow that is found by typing, goes back to the list when it ends, and says how it ended")
  func flowIsFoundStartedAndEnded() async throws {
    let terminals = try await open()
    try await terminals.screen(shows: "Schedule a visit", "Animal clinic", "Enter start")
    terminals.press("s", "c", "h", "v", "i", "s")
    try await terminals.screen(shows: "❯ Schedule a visit", "1 of ")
    terminals.press("Enter")
    try await terminals.screen(shows: "❯ 1 A check-up")
    terminals.press("Escape")
    try await terminals.screen(shows: "Schedule a visit was cancelled.", "Enter start", "type to filter")
    terminals.press("Escape")
    try await terminals.screen(shows: "status 0")
  }

  @Test("follows what runs: where it is, who is there, and what starts and ends elsewhere")
  func listIsLive() async throws {
    let terminals = try await open()
    try await terminals.screen(shows: "Animal clinic", "Enter start")
    let client = try await daemon.client()
    let tree = try await client.manager.startFlow("schedule-visit").coordinator
    try await terminals.screen(shows: "Running", "What is the visit for? · nobody")
    let mirror = try await WindowMirror.attach(to: tree, of: client, kind: "web")
    try await terminals.screen(shows: "What is the visit for? · 1 brow")
    _ = try await client.coordinator(tree).dismiss()
    try await terminals.screen { rows in !rows.contains { $0.contains("What is the visit for?") } }
    await mirror.close()
    await client.close()
  }

  @Test("leaves a flow running when its user leaves it, and Enter returns to it")
  func flowsGoOn() async throws {
    let terminals = try await open()
    try await terminals.screen(shows: "Enter start")
    terminals.press("c", "l", "i", "n", "i", "c", "Enter")
    try await terminals.screen(shows: "[ Schedule a visit ]")
    terminals.press("q")
    try await terminals.screen(shows: "Running", "Happy Tails Animal Clinic", "Enter open")
    #expect(try await daemon.client().manager.listActive().map(\.flow) == ["pets"])
    terminals.press("Enter")
    try await terminals.screen(shows: "[ Schedule a visit ]", "q leave")
    terminals.press("C-c")
    try await terminals.screen(shows: "status 130", "The flow continues.")
  }

  @Test("does not offer flows that are parts of others, but coordinatorctl lists and starts them")
  func partsAreNotOffered() async throws {
    let terminals = try await open(rows: 50)
    let rows = try await terminals.screen(shows: "Shop", "Enter start")
    #expect(!rows.contains { $0.contains("Products") || $0.contains("A kanji") })
    let listed = try await Program.run([Built.executable("coordinatorctl"), "flows"], environment: daemon.environment)
    #expect(listed.output.contains("shop-main") && listed.output.contains("kanji-detail"), "\(listed)")
    terminals.press("Escape")
    try await terminals.screen(shows: "status 0")
  }

  @Test("waits for a service that has left, and continues when it is back")
  func serviceLeavesAndReturns() async throws {
    let terminals = try await open()
    try await terminals.screen(shows: "Animal clinic", "Enter start")
    _ = await daemon.stop()
    try await terminals.screen(shows: "The service has left.")
    terminals.press("Escape")
    try await terminals.screen(shows: "status 0")
  }

  @Test("The title of the window names what is shown, and is restored")
  func windowTitleNamesTheScreen() async throws {
    let terminals = try await open(["schedule-visit"])
    try await terminals.screen(shows: "❯ 1 A check-up")
    try await poll { try await terminals.value("#{pane_title}") == "What is the visit for?" }
    terminals.press("C-c")
    try await terminals.screen(shows: "status 130")
    try await poll { try await terminals.value("#{pane_title}") != "What is the visit for?" }
  }

  @Test("An accent is sent as the most similar of 256 colors")
  func accentsAreSent() async throws {
    let tool = try Built.executable("coordinator-tui")
    let command = ["env", "-u", "NO_COLOR", "TERM=xterm-256color", tool, "how-to-code"]
    let terminals = try await Terminals.start([command], environment: daemon.environment)
    try await terminals.screen(shows: "F1 help")
    #expect(terminals.sent.contains("[38;5;196m"))
  }
}
