import ArgumentParser
import ControlTool

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
      """)
  @OptionGroup var global: GlobalOptions

  @Argument(help: "The link.")
  var link: String

  @Option(name: .customLong("in"), help: ArgumentHelp("Where to show the flow.", valueName: "terminal|browser"))
  var renderer: RendererProgram?

  func run() async throws {
    try await global.perform { session in
      let tree = try await StartLink(session).run(link)
      try (renderer ?? .fitting).takeOver(showing: tree, on: global.bus.chosen)
    }
  }
}
