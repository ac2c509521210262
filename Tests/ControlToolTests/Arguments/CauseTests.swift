import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Testing

@testable import ControlTool
@testable import RendererKit

@Suite("The exit status and the name of each failure", .timeLimit(.minutes(5)))
struct CauseTests {
  @Test(
    "Each cause of a refusal has a different status",
    arguments: [
      (.staleScreen(message: "", why: .gone), 7), (.denied(message: ""), 8), (.notDismissable(message: ""), 8),
      (.invalidPayload(message: "", reasons: [:]), 9), (.invalidInput(message: "", reasons: [:]), 9),
      (.unknownFlow(message: ""), 10), (.unknownEvent(message: ""), 10), (.held(message: ""), 12),
      (.notStored(message: ""), 13), (.providerGone(message: ""), 13), (.flowFailed(message: "", code: ""), 4),
      (.tokenInUse(message: ""), 1),
    ] as [(ContractError, Int32)])
  func refusalsHaveTheirStatuses(error: ContractError, status: Int32) {
    #expect(ToolFailure(.refused(error)).cause.rawValue == status)
    // Tools that have no statuses for causes keep theirs.
    #expect(ToolFailure(.refused(error)).exit == .error)
  }

  @Test("Every failure has a name for programs, also one of the tool itself")
  func failuresHaveNames() {
    #expect(ToolFailure(["wrong"]).json["error"]?["name"] == "Failed")
    #expect(ToolFailure(["wrong"], exit: .usage).json["error"]?["name"] == "Usage")
    #expect(ToolFailure(["wrong"], cause: .timedOut).json["error"]?["name"] == "TimedOut")
    #expect(ToolFailure(["wrong"], name: "NoDisplay").json["error"]?["name"] == "NoDisplay")
    #expect(ToolFailure(.noDaemon).json["error"]?["name"] == "NoDaemon")
    #expect(ToolFailure(TreeSelector.Failure.unknown("a", suggestion: nil)).json["error"]?["name"] == "UnknownFlowTree")
    #expect(ToolFailure(TreeSelector.Failure.several(["a", "b"])).cause == .error)
    #expect(Set(ToolExit.allCases.map(\.word)).count == ToolExit.allCases.count)
  }

  @Test("A command that does not exist gets a suggestion, or the way to the list")
  func unknownCommandsGetASuggestion() throws {
    let names = ["send", "show", "help"]
    let typo = try #require(UnknownCommand.failure(of: ["sned", "a", "begin"], among: names))
    #expect(typo.exit == .usage)
    #expect(typo.lines == ["there is no command 'sned'", "  did you mean 'send'?"])
    #expect(UnknownCommand.failure(of: ["zzzzzz"], among: names)?.lines.last == "  list the commands with: coordinatorctl --help")
    for known in [["send"], ["--help"], ["---completion", "send"], []] {
      #expect(UnknownCommand.failure(of: known, among: names) == nil)
    }
  }

  @Test("A link is shown in a terminal or on a desktop, and refused where no user would see it")
  func linksNeedATerminalOrADesktop() throws {
    #expect(try RendererProgram.fitting(isTerminal: true, [:]) == .terminal)
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"] {
      #expect(try RendererProgram.fitting(isTerminal: false, [name: "x"]) == .browser)
    }
    #expect(throws: ToolFailure.self) { try RendererProgram.fitting(isTerminal: false, ["DISPLAY": ""]) }
  }

  @Test("A link is shown by a renderer that is given the tree and the bus")
  func linkIsShownByARendererProgram() {
    let tree: ObjectPath = "/org/coordinatord/Coordinator1/flows/pets_1"
    #expect(RendererProgram.terminal.command(showing: tree, on: .session) == ["coordinator-tui", tree.string])
    #expect(
      RendererProgram.browser.command(showing: tree, on: .address("unix:path=/x"))
        == ["coordinator-web", "--open", "--address", "unix:path=/x", tree.string])
    #expect(
      RendererProgram.command(offering: "coordinator:a?--lan=x", on: .address("unix:path=/x"))
        == ["coordinator-web", "--open", "--link=coordinator:a?--lan=x", "--address", "unix:path=/x"])
    #expect(RendererProgram.terminal.command(showing: tree, on: .system) == ["coordinator-tui", "--system", tree.string])
  }
}
