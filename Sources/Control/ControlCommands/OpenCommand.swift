import ArgumentParser
import ControlTool
import Platform

extension RendererProgram: ExpressibleByArgument {}

/// The `coordinatorctl open` command.
struct Open: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Start the flow that a link names, and show it.",
    discussion: """
      A link contains the flow's name and its input: coordinator:kanji-detail?kanji=水. The schema of the flow's input \
      determines the types of values. A malformed link, an unknown flow, a key that the input does not have, or a value that \
      does not fit is refused, and nothing is started. Each time a link is opened, it starts a new flow tree.

      The flow is shown in this terminal by coordinator-tui or, if standard input and output are not a terminal, in a browser by \
      coordinator-web. It continues when the renderer ends.

      Without a terminal and without a desktop, the command refuses, unless --in says where, or --no-wait that nothing is shown.
      """)
  @OptionGroup var global: GlobalOptions

  @Argument(help: "The link.")
  var link: String

  @Option(name: .customLong("in"), help: ArgumentHelp("Where to show the flow.", valueName: "terminal|browser"))
  var renderer: RendererProgram?

  @Flag(help: "Only start the flow, print the name of its flow tree, and show nothing.")
  var noWait = false

  func validate() throws {
    if noWait, renderer != nil { throw ValidationError("--no-wait shows nothing, so it does not go with --in") }
  }

  func run() async throws {
    try await global.perform { session in
      if noWait {
        try await StartLink(session).start(link)
        return .success
      }
      // Where nobody can see it, nothing is started.
      let renderer = try renderer ?? .fitting(Environment.variables)
      let tree = try await StartLink(session).run(link)
      try renderer.takeOver(showing: tree, on: global.bus.chosen)
    }
  }
}
