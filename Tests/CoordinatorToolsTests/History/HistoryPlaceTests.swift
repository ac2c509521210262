import CoordinatorTools
import Testing

@Suite("Where coordinatorctl log looks")
struct HistoryPlaceTests {
  private func place(
    said: String? = nil, name: String? = nil, _ arguments: [String]? = nil, environment: [String: String] = ["HOME": "/h"],
    journals: Set<String> = []
  ) throws(ToolFailure) -> String {
    try HistoryPlace.directory(
      stateDirectory: said, name: name, serving: arguments.map { ServingDaemon(process: 7, arguments: $0) },
      environment: environment, hasJournal: journals.contains)
  }

  @Test("is what is said, whatever runs")
  func said() throws {
    #expect(try place(said: "here", ["/bin/first-boot"]) == "here")
    #expect(try place(name: "first-boot", ["coordinatord"]) == "/h/.local/state/first-boot")
    for name in ["", "a/b", "..", "."] { #expect(throws: ToolFailure.self) { try place(name: name) } }
  }

  @Test("is the place of coordinatord if that runs, or none")
  func standard() throws {
    for arguments in [nil, ["/usr/bin/coordinatord", "--sync", "full"]] {
      #expect(try place(arguments) == "/h/.local/state/coordinatord")
    }
    #expect(try place(["/bin/other"], environment: ["STATE_DIRECTORY": "/var/lib/x"]) == "/var/lib/x")
  }

  @Test("is what the daemon that runs was told", arguments: [["--state-dir", "/x"], ["--state-dir=/x", "--sync", "off"]])
  func told(options: [String]) throws {
    #expect(try place(["coordinatord"] + options) == "/x")
  }

  @Test("is the place of a daemon with flows of its own")
  func own() throws {
    let directory = "/h/.local/state/first-boot"
    #expect(try place(["/opt/first-boot"], journals: [directory]) == directory)
  }

  @Test(
    "is not guessed: it is said what runs, and how to say what is meant",
    arguments: [["/opt/first-boot"], ["coordinatord", "--ephemeral"], ["coordinatord", "--state-dir", "below"]])
  func unknown(arguments: [String]) throws {
    let failure = #expect(throws: ToolFailure.self) { try place(arguments) }
    #expect(failure?.lines.first?.contains("process 7") == true)
    #expect(failure?.lines.last?.contains("--state-dir DIR") == true)
    #expect(failure?.lines.last?.contains("--name NAME") == true)
  }
}
