import ArgumentParser
import ControlTool
import CoordinatorJournal
import Glibc
import Platform
import ToolOptions

/// The `coordinatorctl log` command.
struct Log: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print who did what and when, and what failed, newest last: every stored transition.",
    discussion: """
      Reads the history in the daemon's state directory, so it must run as the daemon's user; the daemon need not be running. \
      The history contains the names of events, but never the values that were entered. Below an entry is what failed, \
      such as a flow or a piece of its work, and the whole reason.

      The state directory is that of the daemon that is running on the bus, as far as its command line shows it, and if none is \
      running, that of coordinatord. --state-dir and --name select another one.

      With --json, each line is an object: number, time (microseconds since 1970), root, event, revision; and, if known, \
      coordinator, name (of the event, or of the flow that was started; force if a dismissal was forced), user, userName, sender, \
      way, outcome, failures. Each of these has coordinator, code and reason, and flow if it has ended by it.
      """)
  @OptionGroup var bus: BusOptions
  @OptionGroup var output: OutputOptions

  @Option(name: [.customShort("n"), .long], help: "The maximum number of entries: 50 unless set, and all of them with --json.")
  var lines: Int?

  @Flag(name: .shortAndLong, help: "Then print each new entry as it arrives, until interrupted.")
  var follow = false

  @Option(
    help:
      "Print only entries of the last TIME: 30s, 5m, 2h, 3d; or since a time: 14:30, 2026-11-24, '2026-11-24 14:30', yesterday.",
    transform: HistoryStart.argument)
  var since: HistoryStart?

  @Option(
    help: ArgumentHelp(
      "Print only entries with this event: what was sent, or the kind, such as back or dismiss. May be repeated.",
      valueName: "event"))
  var event: [String] = []

  @Flag(help: "Leave out entries of work that has ended.")
  var noWork = false

  @Option(help: "The daemon's state directory.", completion: .directory)
  var stateDir: String?

  @Argument(
    help:
      "Print only entries of this flow tree, or of this coordinator and everything below it: pets_1, pets_1/schedule_visit_1.",
    completion: .ended)
  var path: String?

  func validate() throws {
    guard lines ?? 0 >= 0 else { throw ValidationError("--lines must not be negative") }
    if stateDir != nil, bus.daemon != nil { throw ValidationError("--state-dir and --name are mutually exclusive") }
  }

  func run() async throws {
    try await output.perform { output in
      var query = HistoryQuery(path: try path.map(HistoryTool.path), limit: lines ?? (self.output.json ? .max : 50))
      query.events = Set(event)
      query.hasWork = !noWork
      if let since { query.since = since.time(before: UInt64(max(0, Glibc.time(nil))) * 1_000_000) }
      let directory = try HistoryPlace.directory(
        stateDirectory: stateDir, name: bus.daemon ?? .chosenUnlessStandard,
        serving: stateDir == nil ? await ServingDaemon.find(on: bus.chosen) : nil,
        environment: Environment.variables
      ) { HistoryReader.isThere(in: $0) }
      let tool = HistoryTool(directory: directory, output: output)
      if follow {
        try await tool.follow(query) { try await Task.sleep(for: .milliseconds(250)) }
      } else {
        try tool.show(query)
      }
      return .success
    }
  }
}

extension HistoryStart {
  /// Parses an argument.
  static func argument(_ text: String) throws -> HistoryStart {
    guard let start = HistoryStart(text) else {
      throw ValidationError("'\(text)' is not a time such as 30s, 2h, 3d, 14:30, yesterday, or '2026-11-24 14:30'")
    }
    return start
  }
}
