import Foundation
import TestBus
import Testing

@Suite("What coordinator-tui sends to a terminal besides its screen", .timeLimit(.minutes(1)))
struct TerminalModesTests {
  private let daemon: RunningDaemon

  init() async throws { daemon = try await RunningDaemon.start() }

  /// Shows a flow in a terminal that identifies as an xterm. After the tool has ended, prints its status.
  private func show(_ arguments: String...) async throws -> Terminals {
    let script = #"trap : INT; NO_COLOR= TERM=xterm-256color COLORTERM=truecolor "$@"; echo "status $?""#
    let command = ["sh", "-c", script, "sh", try Built.executable("coordinator-tui")] + arguments
    // A crash must not wait for a debugger.
    let environment = daemon.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let terminals = try await Terminals.start([command], environment: environment)
    terminals.resize(columns: 80, rows: 24)
    return terminals
  }

  /// The private modes that are on, and the number of saved titles.
  private struct Modes: Hashable {
    var on: Set<String> = []
    var savedTitles = 0

    /// Follows the output. Omits the modes that are on in every terminal: the cursor, and the wrapping of lines.
    init(after written: String) {
      for part in written.components(separatedBy: "\\033[").dropFirst() {
        if part.hasPrefix("22;2t") { savedTitles += 1 }
        if part.hasPrefix("23;2t") { savedTitles -= 1 }
        guard part.first == "?", let end = part.firstIndex(where: { $0 == "h" || $0 == "l" }) else { continue }
        for mode in part[part.index(after: part.startIndex)..<end].split(separator: ";").map(String.init) {
          let isUsual = ["7", "25"].contains(mode)
          if (part[end] == "h") != isUsual { on.insert(mode) } else { on.remove(mode) }
        }
      }
    }
  }

  @Test("Tones of a theme are sent as they are to a terminal that says it has colors of 24 bits")
  func tones() async throws {
    let theme = FileManager.default.temporaryDirectory.path + "/theme-\(UUID().uuidString).conf"
    defer { try? FileManager.default.removeItem(atPath: theme) }
    try "[Theme]\nName=Harbour\nAccent=#00695c\n".write(toFile: theme, atomically: true, encoding: .utf8)
    let terminals = try await show("schedule-visit", "--theme", theme)
    try await terminals.screen(shows: "❯ 1 A check-up")
    try await terminals.pane(0, shows: "\\033[38;2;")
    // The keys are those of the terminal's own description.
    terminals.press("Down")
    try await terminals.screen(shows: "❯ 2 My pet is sick")
    #expect(!terminals.written(in: 0).contains("38;5;"))
  }

  @Test("All modes are off again, and the title is back, after a signal", arguments: [SIGTERM, SIGHUP, SIGQUIT])
  func signals(signal: Int32) async throws { try await expectRestored(after: signal) }

  @Test(
    "All modes are off again, and the title is back, after a crash",
    .disabled(if: Built.isSanitized, "a sanitizer handles these signals itself"), arguments: [SIGSEGV, SIGABRT, SIGTRAP])
  func crashes(signal: Int32) async throws { try await expectRestored(after: signal) }

  private func expectRestored(after signal: Int32) async throws {
    let terminals = try await show("account")
    try await terminals.screen(shows: "┃ User name")
    let modes = Modes(after: terminals.written(in: 0))
    #expect(modes.on.isSuperset(of: ["1000", "1004", "1006", "1049", "2004"]) && modes.savedTitles == 1, "\(modes)")
    kill(try #require(try await terminals.process()), signal)
    try await terminals.screen(shows: "status \(128 + signal)")
    try await expect(Modes(after: ""), of: terminals)
  }

  @Test("Modes and title are given back while coordinator-tui is stopped, and taken again with the next key")
  func stopping() async throws {
    let terminals = try await show("account")
    try await terminals.screen(shows: "┃ User name")
    let before = Modes(after: terminals.written(in: 0))
    let process = try #require(try await terminals.process())
    terminals.press("C-z")
    try await poll { try Self.isStopped(process) }
    try await expect(Modes(after: ""), of: terminals)
    kill(process, SIGCONT)
    try await terminals.screen(shows: "┃ User name")
    terminals.press("x")
    try await terminals.screen(shows: "┃ x")
    try await expect(before, of: terminals)
  }

  @Test("The title is saved once, even if another program stops and continues coordinator-tui")
  func stoppingFromOutside() async throws {
    let terminals = try await show("account")
    try await terminals.screen(shows: "┃ User name")
    let before = Modes(after: terminals.written(in: 0))
    let process = try #require(try await terminals.process())
    kill(process, SIGSTOP)
    try await poll { try Self.isStopped(process) }
    kill(process, SIGCONT)
    terminals.press("x")
    try await terminals.screen(shows: "┃ x")
    try await expect(before, of: terminals)
  }

  /// Waits for modes. A process may have written, and even have stopped, before tmux passes on its output.
  private func expect(_ modes: Modes, of terminals: Terminals) async throws {
    try await poll { Modes(after: terminals.written(in: 0)) == modes }
  }

  private static func isStopped(_ process: Int32) throws -> Bool {
    try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8).contains("State:\tT")
  }
}
