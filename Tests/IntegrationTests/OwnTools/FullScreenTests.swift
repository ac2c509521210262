import CoordinatorBus
import CoordinatorClient
import Foundation
import TestBus
import Testing

@Suite("coordinator-tui on the full screen", .timeLimit(.minutes(5)))
struct FullScreenTests {
  private let daemon: RunningDaemon

  init() async throws { daemon = try await RunningDaemon.start() }

  /// Shows a flow in a terminal. After the tool has ended, prints its status and the terminal's settings.
  private func show(
    _ arguments: String..., on daemon: RunningDaemon? = nil, columns: Int = 80, rows: Int = 24
  ) async throws -> Terminals {
    let script =
      #"trap : INT; "$@"; echo "status $?"; stty -a | tr " ;" "\n\n" | grep -x -E "[-]?(echo|icanon)" | xargs echo tty"#
    let command = ["sh", "-c", script, "sh", try Built.executable("coordinator-tui")] + arguments
    // A crash must not wait for a debugger.
    let environment = (daemon ?? self.daemon).environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let terminals = try await Terminals.start([command], environment: environment)
    terminals.resize(columns: columns, rows: rows)
    return terminals
  }

  /// Expects that a terminal is restored, and that it shows a line and a status.
  private func expectRestored(_ terminals: Terminals, _ line: String, status: Int32) async throws {
    let rows = try await terminals.screen(shows: "status \(status)", "tty icanon echo")
    #expect(rows.contains { $0.hasPrefix(line) }, "\(rows)")
    let flags = "#{alternate_on} #{mouse_any_flag} #{cursor_flag} #{keypad_cursor_flag}"
    #expect(try await terminals.value(flags) == "0 0 1 0")
  }

  @Test("A whole flow can be played by keys, in a large terminal and in a small one", arguments: [(80, 24), (40, 12)])
  func wholeFlowIsPlayedByKeys(columns: Int, rows: Int) async throws {
    let terminals = try await show("schedule-visit", columns: columns, rows: rows)
    try await terminals.screen(shows: "❯ 1 A check-up", "F1 help")
    terminals.press("Down")
    try await terminals.screen(shows: "❯ 2 My pet is sick")
    terminals.press("Enter")
    try await terminals.screen(shows: "❯ 1 Not at all")
    terminals.press("Escape")
    try await terminals.screen(shows: "❯ 2 My pet is sick")
    terminals.press("Enter")
    try await terminals.screen(shows: "How much does it hurt?")
    terminals.press("4")
    try await terminals.screen(shows: "[ Okay ]")
    terminals.press("Enter")
    try await expectRestored(terminals, "The flow has finished.", status: 0)
  }

  @Test(
    "Letters outside of ASCII are typed and shown also without a locale, or with one that is not installed",
    arguments: ["C", "xx_YY.UTF-8"])
  func lettersNeedNoLocale(locale: String) async throws {
    let command = ["env", "LC_ALL=\(locale)", try Built.executable("coordinator-tui"), "account"]
    let terminals = try await Terminals.start([command], environment: daemon.environment)
    terminals.resize(columns: 80, rows: 24)
    try await terminals.screen(shows: "User name")
    terminals.press("Ä", "d", "a")
    try await terminals.screen(shows: "Äda")
  }

  @Test("The terminal's cursor is where the keyboard focus is")
  func terminalCursorFollowsTheFocus() async throws {
    let terminals = try await show("schedule-visit")
    for (text, key) in [("❯ 1 A check-up", "Down"), ("❯ 2 My pet is sick", "Enter"), ("❯ 1 Not at all", "Down")] {
      let rows = try await terminals.screen(shows: text)
      let row = try #require(rows.firstIndex { $0.contains(text) })
      let column = rows[row].prefix { $0 == " " }.count
      try await poll { try await terminals.value("#{cursor_x},#{cursor_y}") == "\(column),\(row)" }
      terminals.press(key)
    }
  }

  @Test("On a busy screen no button is pressed before the user moves to it")
  func busyScreenPressesNothingByItself() async throws {
    let gallery = try await RunningDaemon.start(executable: "GalleryDaemon")
    let terminals = try await show("gallery", on: gallery)
    try await terminals.screen(shows: "5 Waiting")
    terminals.press("5")
    try await terminals.screen(shows: "Hold it to the reader", "Tab buttons")
    terminals.press("Enter", "Space", "Tab")
    try await terminals.screen(shows: "Hold it to the reader", "Enter choose")
    terminals.press("Enter")
    try await terminals.screen(shows: "❯ 5 Waiting")
    _ = await gallery.stop()
  }

  @Test("Escape on the first screen asks before the flow ends, and a second Escape only closes the question")
  func leavingTheFirstScreenNeedsConfirmation() async throws {
    let terminals = try await show("schedule-visit", "--token", "shared")
    try await terminals.screen(shows: "❯ 1 A check-up", "Esc end")
    terminals.press("2")
    try await terminals.screen(shows: "❯ 1 Not at all")
    terminals.press("Escape")
    try await terminals.screen(shows: "❯ 2 My pet is sick", "Esc end")
    terminals.press("Escape")
    try await terminals.screen(shows: "End this flow for everyone who has it open?", "[ Stay ]", "[! End it ]")
    terminals.press("Escape")
    try await terminals.screen(shows: "❯ 2 My pet is sick")
    #expect(try await daemon.client().manager.listActive().map(\.token) == ["shared"])
    terminals.press("Escape")
    try await terminals.screen(shows: "[! End it ]")
    terminals.press("y")
    try await expectRestored(terminals, "The flow was cancelled.", status: 3)
  }

  @Test("Escape ends a flow without a question if nothing was done in it, and asks if another renderer shows it")
  func freshFlowEndsWithoutAQuestion() async throws {
    let shared = try await Flow.start("schedule-visit", daemon.client(), options: Options(token: "shared"))
    _ = try await shared.router.attach(kind: "other")
    let terminals = try await show("shared")
    try await terminals.screen(shows: "❯ 1 A check-up", "Esc end")
    terminals.press("Escape")
    try await terminals.screen(shows: "End this flow for everyone who has it open?")
    terminals.press("Escape")
    try await terminals.screen(shows: "❯ 1 A check-up", "Esc end")
    try await shared.router.detach()
    terminals.press("Escape")
    try await expectRestored(terminals, "The flow was cancelled.", status: 3)
  }

  @Test("A password can be typed, and is never sent to the terminal")
  func passwordIsNeverShown() async throws {
    let terminals = try await show("account")
    try await terminals.screen(shows: "┃ User name")
    terminals.press("demo", "Enter", "open-sesame")
    try await terminals.screen(shows: "┃ " + String(repeating: "•", count: 11), "    demo")
    terminals.press("Enter")
    try await terminals.screen(shows: "You are logged in as demo.", "[ Done ]")
    #expect(!terminals.sent.contains("sesame"))
    terminals.press("Enter")
    try await expectRestored(terminals, "The flow has finished.", status: 0)
  }

  @Test("The screen fits the terminal after every resize, and what was typed stays")
  func resizingKeepsWhatWasTyped() async throws {
    let terminals = try await show("account")
    try await terminals.screen(shows: "┃ User name")
    terminals.press("someone")
    try await terminals.screen(shows: "┃ someone")
    for (columns, rows) in [(40, 12), (12, 4), (120, 40), (80, 24)] {
      terminals.resize(columns: columns, rows: rows)
      try await terminals.screen { lines in
        let last = lines.last { !$0.isEmpty } ?? ""
        return lines.count == rows && lines.contains { $0.contains("someone") } && (columns < 40 || last.contains("F1 help"))
      }
    }
  }

  @Test("The full screen follows other renderers, and typing kanji filters a list")
  func otherRenderersAreFollowedAndListsFiltered() async throws {
    let other = try await Flow.start("kanji-list", daemon.client())
    let terminals = try await show("kanji_list_1")
    try await terminals.screen(shows: "❯ 日", "type to filter")
    terminals.press("水")
    try await terminals.screen(shows: "❯ 水  water", "1 of ")
    terminals.press("Enter")
    try await terminals.screen(shows: "Kanji › 水", "❯ 水曜日")
    _ = try await other.router.back(screen: other.top())
    try await terminals.screen(shows: "❯ 水  water")
  }

  @Test("The full screen waits for a killed daemon and continues where it was")
  func fullScreenWaitsForAKilledDaemon() async throws {
    let terminals = try await show("account")
    try await terminals.screen(shows: "┃ User name")
    terminals.press("demo")
    try await terminals.screen(shows: "┃ demo")
    daemon.program.signal(SIGKILL)
    try await terminals.screen(shows: "Waiting for it to come back.", "┃ demo")
    let next = try await RunningDaemon.start(on: daemon.bus)
    try await terminals.screen(shows: "The connection is back.", "┃ demo")
    terminals.press("Enter", "open-sesame", "Enter")
    try await terminals.screen(shows: "You are logged in as demo.")
    _ = await next.stop()
  }

  @Test("The terminal is restored when a signal ends coordinator-tui", arguments: [SIGTERM, SIGHUP, SIGQUIT])
  func terminalIsRestoredAfterASignal(signal: Int32) async throws {
    let terminals = try await show("pets")
    try await terminals.screen(shows: "[ Schedule a visit ]")
    kill(try #require(try await terminals.process()), signal)
    try await expectRestored(terminals, "", status: 128 + signal)
  }

  @Test(
    "The terminal is restored when coordinator-tui crashes",
    .disabled(if: Built.isSanitized, "a sanitizer handles SIGSEGV itself, and ends the program with a status of its own"))
  func terminalIsRestoredAfterACrash() async throws {
    let terminals = try await show("pets")
    try await terminals.screen(shows: "[ Schedule a visit ]")
    kill(try #require(try await terminals.process()), SIGSEGV)
    try await terminals.screen(shows: "status \(128 + SIGSEGV)", "tty icanon echo")
    #expect(try await terminals.value("#{alternate_on} #{mouse_any_flag} #{cursor_flag}") == "0 0 1")
  }

  @Test("'q' and Ctrl-C leave coordinator-tui, and the flow continues", arguments: [("q", Int32(0)), ("C-c", 130)])
  func leavingKeepsTheFlowRunning(key: String, status: Int32) async throws {
    let terminals = try await show("pets", "--token", "mine")
    try await terminals.screen(shows: "[ Schedule a visit ]")
    terminals.press(key)
    try await expectRestored(terminals, "The flow continues. To return to it: coordinator-tui mine", status: status)
    #expect(try await daemon.client().manager.listActive().map(\.token) == ["mine"])
  }

  @Test("The terminal is restored while coordinator-tui is stopped, and taken again afterwards")
  func terminalIsRestoredWhileStopped() async throws {
    let terminals = try await show("pets")
    try await terminals.screen(shows: "[ Schedule a visit ]")
    terminals.press("C-z")
    try await terminals.screen { !$0.contains { $0.contains("Schedule a visit") } }
    let process = try #require(try await terminals.process())
    // The tool restores the terminal before it stops. Continuing it earlier would leave it stopped forever; shells do not do
    // that.
    try await poll { try Self.isStopped(process) }
    kill(process, SIGCONT)
    try await terminals.screen(shows: "[ Schedule a visit ]")
  }

  private static func isStopped(_ process: Int32) throws -> Bool {
    try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8).contains("State:\tT")
  }

  @Test("'coordinator-tui' works line by line with --linear or with ACCESSIBLE=1", arguments: [["--linear", "pets"], ["pets"]])
  func linearModeIsUsedOnRequest(arguments: [String]) async throws {
    let tool = try Built.executable("coordinator-tui")
    let wish = arguments.count == 1 ? ["env", "ACCESSIBLE=1"] : []
    let terminals = try await Terminals.start([wish + [tool] + arguments], environment: daemon.environment)
    try await terminals.screen(shows: "Choice [1]:")
    #expect(try await terminals.value("#{alternate_on}") == "0")
  }
}
