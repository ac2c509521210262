import ArgumentParser
import ControlTool

extension RendererProgram: ExpressibleByArgument {}

/// The `coordinatorctl open` command.
struct Open: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Start the flow that a link names, and show it.",
    discussion: """
      A link has the flow's name and its input: coordinator:kanji-detail?kanji=水. Values are typed by the schema of the flow's input; a key \
      that this does not have, and all else that is not right, is refused, and nothing is started. Each time that a link is opened it \
      starts a flow tree of its own.

      The flow is shown in this terminal, by coordinator-tui, or where there is none in a browser, by coordinator-web, and goes on when \
      that ends.
      """)
  @OptionGroup var global: GlobalOptions

  @Argument(help: "The link.")
  var link: String

  @Option(name: .customLong("in"), help: ArgumentHelp("Where to show it.", valueName: "terminal|browser"))
  var renderer: RendererProgram?

  func run() async throws {
    try await global.perform { session in
      let tree = try await StartLink(session).run(link)
      try (renderer ?? .fitting).takeOver(showing: tree, on: global.bus.chosen)
    }
  }
}
