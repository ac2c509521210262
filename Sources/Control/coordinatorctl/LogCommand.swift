import ArgumentParser
import ControlTool
import CoordinatorJournal
import Foundation
import ToolOptions

/// The `coordinatorctl log` command.
struct Log: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print who did what when, newest last: every transition that the daemon has stored.",
    discussion: """
      Reads the history in the daemon's state directory, as the user whose daemon it is; the daemon need not run. It holds the names \
      of events, never what was filled in.

      The state directory is that of the daemon that runs on the bus, as far as its command line tells; where none runs, that of \
      coordinatord. --state-dir and --name name another one.

      With --json each line is an object: number, time (microseconds since 1970), root, event, revision; and, where they are known, \
      coordinator, name (of the event, or of the flow that was started), user, userName, sender, outcome.
      """)
  @OptionGroup var bus: BusOptions
  @OptionGroup var output: OutputOptions

  @Option(help: "How many entries, at most.")
  var lines = 50

  @Flag(help: "Then go on with each entry that comes, until interrupted.")
  var follow = false

  @Option(help: "Only what happened in this time: 30s, 5m, 2h.", transform: TimeSpan.argument)
  var since: TimeSpan?

  @Option(help: "The daemon's state directory.", completion: .directory)
  var stateDir: String?

  @Option(help: "The name of a daemon with flows of its own: its history is in the state directory of that name.")
  var name: String?

  @Argument(help: "Only this flow tree, or this coordinator with what is below it: pets_1, pets_1/schedule_visit_1.")
  var path: String?

  func validate() throws {
    guard lines >= 0 else { throw ValidationError("--lines is a number of entries") }
    if stateDir != nil, name != nil { throw ValidationError("--state-dir and --name exclude each other") }
  }

  func run() async throws {
    try await output.perform { output in
      var query = HistoryQuery(path: try path.map(HistoryTool.path), limit: lines)
      if let since {
        let now = UInt64(max(0, Date.now.timeIntervalSince1970 * 1_000_000))
        query.since = now - min(now, since.microseconds)
      }
      let isSaid = stateDir != nil || name != nil
      let directory = try HistoryPlace.directory(
        stateDirectory: stateDir, name: name, serving: isSaid ? nil : await ServingDaemon.find(on: bus.chosen),
        environment: ProcessInfo.processInfo.environment
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
