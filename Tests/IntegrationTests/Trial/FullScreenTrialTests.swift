import TestBus
import Testing

@Suite("The renderer trial of the full screen", .timeLimit(.minutes(5)))
struct FullScreenTrialTests {
  /// The strings to wait for, and the keys to press then.
  private static let steps: [(awaited: String, keys: [String])] = [
    ("[ Begin ]", ["Enter"]), ("3 ! Third", ["3"]), ("❯ Twin  not here", ["Down", "Enter"]),
    ("/ type to filter", ["1234"]), ("❯ Number 1234", ["Enter"]), ("There is nothing here.", ["Enter"]),
    ("┃ E-mail", ["BTab", "C-u", "Zoë 水野", "Enter", "zoe@example.org", "Enter", "42", "Enter", "1.75", "Enter"]),
    ("┃ London", ["Enter", "Space", "Enter"]), ("❯ ○ Red", ["Down", "Enter"]),
    ("❯ [ ] Tea", ["Space", "Down", "Down", "Space", "Enter"]), ("┃ Note", ["Enter"]),
    ("┃ Number", ["12", "Enter", "tea", "Enter"]), ("✗ Number is not in the expected form", ["C-u", "1234", "Enter", "Enter"]),
    ("┃ from elsewhere", ["Enter"]), ("┃ Yours", ["mine"]), ("NOW: send it.", ["Tab", "Enter"]),
    ("┃ Secret", ["swordfish", "Enter"]),
    ("! Mind the step", ["Right", "Enter"]), ("• Answered in another renderer.", ["1"]), ("a modal layer", ["Escape"]),
    ("without a way back", ["Enter"]), ("One drink is", ["Enter"]), ("One choice is ready", ["Enter"]),
    ("❯ [ ] Tea", ["Space", "Down", "Space", "Down", "Space"]), ("❯ [x] Water", ["Enter"]),
    ("❯ Water", ["Enter"]),
    ("❯ Tea", ["Down", "Enter"]), ("• It is frozen.", ["Tab", "Tab", "Enter"]),
    ("    The basket is empty.", ["1"]), ("• The basket is empty.", ["3"]),
    ("an action that asks", ["Left", "Enter"]), ("Really erase? Answer no.", ["n", "Right", "Enter"]),
    ("┃ Drink", ["tea", "Enter"]), ("[ Done ]", ["BTab", "Enter"]),
    ("┃ tea", ["C-u", "water", "Enter"]), ("Confirm it.", ["Enter"]),
    ("The connection is back.", ["Enter"]), ("[ End ]", ["Enter"]),
    ("The flow has finished.", []),
  ]

  @Test(
    "'coordinator-tui' passes every step of the renderer trial on the full screen, in a large terminal and in a small one",
    arguments: [(80, 24), (40, 12)])
  func fullScreenPassesTheRendererTrial(columns: Int, rows: Int) async throws {
    let trial = try Program([Built.executable("renderer-trial"), "--pace", "1"])
    try await trial.prints("coordinator-tui trial\n")
    let address = try #require(trial.output.split(separator: "'").first { $0.hasPrefix("unix:") })
    let terminals = try await Terminals.start(
      [[Built.executable("coordinator-tui"), "trial"]],
      environment: ["DBUS_SESSION_BUS_ADDRESS": String(address), "LC_ALL": "C.UTF-8"])
    terminals.resize(columns: columns, rows: rows)
    for step in Self.steps {
      try await terminals.screen(shows: step.awaited)
      for key in step.keys { terminals.press(key) }
    }
    let report = await trial.ended()
    #expect(report.status == .exited(0), "\(report)")
    #expect(report.lines.last == "The renderer passed.")
    #expect(!report.lines.contains { $0.hasPrefix("skip ") }, "\(report)")
  }
}
