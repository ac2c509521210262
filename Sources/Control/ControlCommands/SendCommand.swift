import ArgumentParser
import ControlTool

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

  @Option(help: "With --wait, give up after this time: 30s, 5m, 2h.", transform: TimeSpan.argument)
  var timeout: TimeSpan?

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
