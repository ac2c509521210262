import ArgumentParser
import ControlTool
import Glibc
import Platform
import RendererKit

extension RendererProgram: ExpressibleByArgument {}

/// The `coordinatorctl open` command.
struct Open: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Start the flow that a link names, if you say so, and show it.",
    discussion: """
      A link contains the flow's name and its input: coordinator:kanji-detail?kanji=水. The schema of the flow's input \
      determines the types of values. A malformed link, an unknown flow, a key that the input does not have, or a value that \
      does not fit is refused, and nothing is started. Each time a link is opened, it starts a new flow tree.

      Links come from web pages and mail. So the command shows what the link would start, with the input, and asks before it \
      starts it: at the terminal or, if there is none, on a page in the browser.

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

  @Flag(name: .shortAndLong, help: "Do not ask: start the flow at once.")
  var yes = false

  func validate() throws {
    if noWait, renderer != nil { throw ValidationError("--no-wait shows nothing, so it does not go with --in") }
  }

  func run() async throws {
    try await global.perform { session in
      let start = StartLink(session)
      // If no renderer could show the flow, nothing is started.
      let renderer = noWait ? nil : try renderer ?? .fitting(Environment.variables)
      let offer = try await start.offer(link)
      if renderer == .browser, !yes, !canAsk { try RendererProgram.takeOver(offering: link, on: global.bus.chosen) }
      let tree = try await start.run(offer, confirm: yes ? { _ in true } : canAsk ? ask : nil)
      guard let renderer else {
        start.say(tree)
        return .success
      }
      try renderer.takeOver(showing: tree, on: global.bus.chosen)
    }
  }

  private var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  private func ask(_ question: String) -> Bool {
    StandardStreams.complain(question)
    guard let answer = readLine() else {
      StandardStreams.complain("\n")
      return false
    }
    return ["y", "yes"].contains(answer.bytes.trimmed.bytes.lowercased)
  }
}
