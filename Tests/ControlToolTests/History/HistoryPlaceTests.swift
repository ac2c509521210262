import CoordinatorBus
import Testing

@testable import ControlTool
@testable import RendererKit

@Suite("The place where 'coordinatorctl log' looks", .timeLimit(.minutes(5)))
struct HistoryPlaceTests {
  private func place(
    said: String? = nil, name: DaemonName? = nil, _ arguments: [String]? = nil, environment: [String: String] = ["HOME": "/h"],
    journals: Set<String> = []
  ) throws(ToolFailure) -> String {
    try HistoryPlace.directory(
      stateDirectory: said, name: name, serving: arguments.map { ServingDaemon(process: 7, arguments: $0) },
      environment: environment, hasJournal: journals.contains)
  }

  @Test("A given state directory or name takes precedence over the running daemon")
  func givenPlaceTakesPrecedence() throws {
    #expect(try place(said: "here", ["/bin/first-boot"]) == "here")
    #expect(try place(name: "first-boot", ["coordinatord"]) == "/h/.local/state/first-boot")
    #expect(try place(name: "first-boot", ["coordinatord", "--name", "first-boot", "--state-dir", "/x"]) == "/x")
    #expect(try place(name: "first-boot") == "/h/.local/state/first-boot")
  }

  @Test("The default is coordinatord's state directory, if coordinatord or nothing runs")
  func defaultIsThePlaceOfCoordinatord() throws {
    for arguments in [nil, ["/usr/bin/coordinatord", "--sync", "full"]] {
      #expect(try place(arguments) == "/h/.local/state/coordinatord")
    }
    #expect(try place(["/bin/other"], environment: ["STATE_DIRECTORY": "/var/lib/x"]) == "/var/lib/x")
  }

  @Test(
    "The state directory is the one that the running daemon was started with",
    arguments: [["--state-dir", "/x"], ["--state-dir=/x", "--sync", "off"]])
  func stateDirectoryOfTheRunningDaemonIsUsed(options: [String]) throws {
    #expect(try place(["coordinatord"] + options) == "/x")
  }

  @Test("A daemon with its own flows has a state directory with its name")
  func daemonWithOwnFlowsHasItsOwnPlace() throws {
    let directory = "/h/.local/state/first-boot"
    #expect(try place(["/opt/first-boot"], journals: [directory]) == directory)
  }

  @Test(
    "An unknown state directory is not guessed: the error names the running process and the options to use",
    arguments: [["/opt/first-boot"], ["coordinatord", "--ephemeral"], ["coordinatord", "--state-dir", "below"]])
  func unknownPlaceIsReportedNotGuessed(arguments: [String]) throws {
    let failure = #expect(throws: ToolFailure.self) { try place(arguments) }
    #expect(failure?.lines.first?.contains("process 7") == true)
    #expect(failure?.lines.last?.contains("--state-dir DIR") == true)
    #expect(failure?.lines.last?.contains("--name NAME") == true)
  }
}
