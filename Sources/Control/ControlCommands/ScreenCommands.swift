import ArgumentParser
import ControlTool

/// The `coordinatorctl show` command.
struct Show: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the screen on top.",
    discussion: """
      The events to send, and the ids of items and fields, are in brackets. If the flow has ended, prints how, and exits with 6.
      """)
  @OptionGroup var global: GlobalOptions

  @Option(help: "Print the screen of this name, even if another one covers it.", completion: .screens)
  var screen: String?

  @Flag(help: "Print all screens, the one on top last.")
  var all = false

  @Option(
    help: ArgumentHelp(
      "Of a list, print only the items that match a text, as renderers search. Exits with 1 if none does.", valueName: "text"))
  var grep: String?

  @Flag(help: "Print only what a user sees, without ids, hints and formatting.")
  var plain = false

  @Flag(help: "Print the lines of an answers file that answer the screen.")
  var stub = false

  @Argument(help: "The flow tree; may be omitted if there is only one.", completion: .trees)
  var flowTree: String?

  func validate() throws {
    if screen != nil, all { throw ValidationError("--screen and --all are mutually exclusive") }
    if plain, stub { throw ValidationError("--plain and --stub are mutually exclusive") }
  }

  func run() async throws {
    try await global.performReading { session in
      try await ShowScreen(session).run(
        flowTree, ScreenView(screen: screen, isAll: all, pattern: grep, isPlain: plain, isStub: stub))
    }
  }
}
