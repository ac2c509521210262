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
        flowTree, ShownParts(screen: screen, isAll: all, pattern: grep, isPlain: plain, isStub: stub))
    }
  }
}

/// The `coordinatorctl send` command.
struct Send: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Send an event to the coordinator of the screen on top.",
    usage: "coordinatorctl send [<options>] [<flow-tree>] <event> [<item> ...] [<key=value> ...]",
    discussion: """
      With --wait, prints the screen that the flow shows when it can take the next event and, if the flow ends, exits as 'run' does.

      Examples:
        coordinatorctl send schedule-visit
        coordinatorctl send pets_1 select lamp
        coordinatorctl send --screen summary --wait apply
        pass show demo | coordinatorctl send submit username=demo password=@-
      """)
  @OptionGroup var global: GlobalOptions

  @Option(help: "Makes the call safe to repeat: 1 to 64 characters of [A-Za-z0-9_-].")
  var request: String?

  @OptionGroup var screen: ScreenOption

  @Option(help: "Send only if what the event rests on has not changed since this revision; otherwise exit with 7.")
  var seen: UInt64?

  @Flag(help: "Send the values that the form shows for fields that are not given.")
  var defaults = false

  @Flag(help: "Wait until the flow can take the next event, or has ended.")
  var wait = false

  @Option(help: "With --wait, give up after this time: 30s, 5m, 2h.", transform: DurationArgument.argument)
  var timeout: DurationArgument?

  @Argument(help: ArgumentHelp("The flow tree, the event and its payload.", valueName: "word"), completion: .sending)
  var words: [String]

  func validate() throws {
    if timeout != nil, !wait { throw ValidationError("--timeout applies only with --wait") }
  }

  func run() async throws {
    try await global.perform { session in
      try await SendEvent(session).run(
        words,
        SendOptions(
          expected: SendGuard(screens: screen.screen, seen: seen), request: request, fillsIn: defaults, waits: wait,
          limit: timeout?.microseconds))
    }
  }
}

/// The option that names the screen that a command expects on top.
struct ScreenOption: ParsableArguments {
  @Option(
    help: "Act only if the screen on top has this name; otherwise exit with 7. May be repeated: any of them.",
    completion: .screens)
  var screen: [String] = []
}

/// The `coordinatorctl back` command.
struct Back: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Go back from the screen on top.")
  @OptionGroup var global: GlobalOptions

  @Option(help: "Makes the call safe to repeat: 1 to 64 characters of [A-Za-z0-9_-].")
  var request: String?

  @OptionGroup var screen: ScreenOption

  @Argument(help: "The flow tree; may be omitted if there is only one.", completion: .trees)
  var flowTree: String?

  func run() async throws {
    try await global.perform { session in
      try await GoBack(session).run(flowTree, request: request, expected: SendGuard(screens: screen.screen))
      return .success
    }
  }
}

/// The `coordinatorctl outcome` command.
struct OutcomeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outcome",
    abstract: "Print how a flow has ended, and its result.",
    discussion: """
      Exits with 0 if the flow finished, 3 if it was cancelled, 4 if it failed; with 1 if it is still running.
      """)
  @OptionGroup var global: GlobalOptions

  @Argument(
    help: "The name of a flow tree, which is its token if it has one, or the path of a child.", completion: .ended)
  var flowTree: String

  func run() async throws {
    try await global.performReading { session in try await ShowOutcome(session).run(flowTree) }
  }
}
