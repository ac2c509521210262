import Foundation
import TestBus
import Testing

@Suite("Steps, choices, pictures and questions in a terminal", .timeLimit(.minutes(5)))
struct InstallerTests {
  private let daemon: RunningDaemon

  init() async throws { daemon = try await RunningDaemon.start(executable: "GalleryDaemon") }

  private func show(_ arguments: String..., columns: Int = 80, rows: Int = 40) async throws -> Terminals {
    let terminals = try await Terminals.start(
      [[try Built.executable("coordinator-tui")] + arguments], environment: daemon.environment)
    terminals.resize(columns: columns, rows: rows)
    return terminals
  }

  @Test("A flow with steps, groups, several choices and answers to check is played on the full screen")
  func installerIsPlayedOnTheFullScreen() async throws {
    let terminals = try await show("installer")
    try await terminals.screen(
      shows: "Find its name with `lsblk`", "manual (https://example.org/manual)", "• Connect the machine",
      "  sda     64G   internal",
      "[The back of the machine", "Repair: There is nothing to repair.", "[ Begin ]")
    terminals.press("Enter")
    try await terminals.screen(shows: "Step 1 of 4", "┃ Name")
    terminals.press("attic", "Enter", "Ada", "Enter")
    try await terminals.screen(shows: "Step 2 of 4", "  Europe", "❯ Berlin", "Pyongyang  (There are no mirrors nearby.)")
    terminals.press("Enter")
    try await terminals.screen(shows: "Choose 1 to 2: 1 chosen", "❯ [x] vim")
    terminals.press("Down", "Down", "Space")
    try await terminals.screen(shows: "Choose 1 to 2: 2 chosen", "❯ [x] gcc")
    terminals.press("Enter")
    try await terminals.screen(shows: "Step 4 of 4", "Europe/Berlin", "[ Change ]", "[! Install ]")
    terminals.press("Up", "Up", "Enter")
    try await terminals.screen(shows: "Step 1 of 4", "attic")
    terminals.press("Escape")
    try await terminals.screen(shows: "[ Begin ]")
  }

  @Test("An action that destroys something is done only after its question, and a QR code follows")
  func installationIsConfirmed() async throws {
    let terminals = try await show("installer", columns: 80, rows: 44)
    try await terminals.screen(shows: "[ Begin ]")
    terminals.press("Enter")
    try await terminals.screen(shows: "┃ Name")
    terminals.press("attic", "Enter", "Enter")
    try await terminals.screen(shows: "❯ Berlin")
    terminals.press("Enter")
    try await terminals.screen(shows: "❯ [x] vim")
    terminals.press("Enter")
    try await terminals.screen(shows: "[ Later ]")
    // The destructive action is not focused initially, neither on the screen nor in its question.
    terminals.press("BTab", "Enter")
    try await terminals.screen(shows: "│  Erase the disk sda, and install?")
    terminals.press("Enter")
    try await terminals.screen { rows in rows.contains { $0.contains("[ Later ]") } && !rows.contains { $0.contains("│") } }
    terminals.press("Enter")
    try await terminals.screen(shows: "[ Cancel ]")
    terminals.press("y")
    try await terminals.screen(shows: "▄▄▄▄▄", "https://example.org/pair?key=4711", "[ Done ]")
  }

  @Test("The same flow is played line by line")
  func installerIsPlayedLineByLine() async throws {
    let terminals = try await show("--linear", "installer")
    try await terminals.screen(
      shows: "Everything on the disk is", "- Connect the machine", "    sda     64G   internal", "Choice [1]:")
    terminals.type("", in: 0)
    try await terminals.screen(shows: "Step 1 of 4", "Name:")
    terminals.type("attic", in: 0)
    try await terminals.screen(shows: "Owner (optional):")
    terminals.type("", in: 0)
    try await terminals.screen(shows: "  1) Name: attic", "Number to change, or send [")
    terminals.type("send", in: 0)
    try await terminals.screen(shows: "Europe:", "  2) Berlin", "Choice [2) Berlin]:")
    terminals.type("", in: 0)
    try await terminals.screen(shows: "Editors:", "Choose 1 to 2, separated by commas [1]:")
    terminals.type("1, gcc", in: 0)
    try await terminals.screen(shows: "Name: attic", "Packages: vim", "  3) Change Name", "Choice:")
    terminals.type("1", in: 0)
    try await terminals.screen(shows: "Erase the disk sda, and install? (y/N):")
    terminals.type("y", in: 0)
    try await terminals.screen(shows: "QR code: https://example.org/pair?key=4711")
  }
}
