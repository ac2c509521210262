import ArgumentParser
import ControlTool

extension ListTrees.Format: ExpressibleByArgument {}

/// The `coordinatorctl list` command.
struct List: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the flow trees as a table.",
    discussion: """
      The state is running, busy, held or, with --all, the outcome: finished, cancelled, failed. With --json, each flow tree has \
      a name, a flow and a state and, while it runs, a screen, startedAt (microseconds since 1970) and the number of renderers.
      """, aliases: ["ls"])
  @OptionGroup var global: GlobalOptions

  @Flag(help: "Also list flow trees that have ended, as long as their outcomes are known.")
  var all = false

  @Flag(help: "Leave out the titles of the columns.")
  var noLegend = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A table (default), or only the names, one per line.", valueName: "table|name"))
  var output = ListTrees.Format.table

  func run() async throws {
    try await global.performReading { session in
      try await ListTrees(session).run(format: output, ended: all, legend: !noLegend)
      return .success
    }
  }
}
