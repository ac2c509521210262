import ArgumentParser
import ControlTool
import CoordinatorBus
import RendererKit

/// The arguments that start a flow.
struct FlowArguments: ParsableArguments {
  @Argument(help: "The flow's name.", completion: .starting)
  var flow: String

  @Argument(help: ArgumentHelp("The flow's input.", valueName: "key=value"), completion: .starting)
  var input: [String] = []

  @Option(help: "Names the flow tree, and makes the call safe to repeat: 1 to 64 characters of [A-Za-z0-9_].")
  var token: String?

  @OptionGroup var freshness: FreshOption

  @Option(help: "Dismiss the flow after this time: 30s, 5m, 2h.", transform: TimeSpan.argument)
  var timeout: TimeSpan?
}

/// The option that starts the flow of a token again.
struct FreshOption: ParsableArguments {
  @Flag(help: "Start the flow again if the flow with this token has ended.")
  var fresh = false

  /// The value of the call's option; nil if it is not given.
  var option: Bool? { fresh ? true : nil }

  /// Checks that there is a token to start again.
  func check(_ token: String?) throws {
    if fresh, token == nil { throw ValidationError("--fresh requires --token: without a token, every start is a fresh one") }
  }
}

extension TimeSpan {
  /// Parses an argument.
  static func argument(_ text: String) throws -> TimeSpan {
    guard let span = TimeSpan(text) else { throw ValidationError("'\(text)' is not a time such as 30s, 5m or 2h") }
    return span
  }
}

extension Options.Style: ExpressibleByArgument {}
extension Options.Lifetime: ExpressibleByArgument {}

/// The `coordinatorctl start` command.
struct Start: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Start a flow and print the name of its flow tree.",
    discussion: """
      If the flow with this token has ended, nothing is started, and the command exits with 6; --fresh starts it again.

      With --parent or --style, the flow is started as a child of the given coordinator or, without --parent, of the coordinator \
      whose screen is on top in the only flow tree.
      """)
  @OptionGroup var global: GlobalOptions
  @OptionGroup var arguments: FlowArguments

  @Option(help: "Start the flow as a child, and present it in this style: push or modal.")
  var style: Options.Style?

  @Option(
    help: "Start the flow as a child of this coordinator: a FLOW-TREE, or the path of a child such as pets_1/schedule_visit_1.",
    completion: .trees)
  var parent: String?

  @Option(help: "For a child: makes the call safe to repeat: 1 to 64 characters of [A-Za-z0-9_-].")
  var request: String?

  private var isChild: Bool { style != nil || parent != nil }

  func validate() throws {
    if isChild, arguments.token != nil || arguments.timeout != nil || arguments.freshness.fresh {
      throw ValidationError("--token, --fresh and --timeout apply only to roots, --parent and --style only to children")
    }
    try arguments.freshness.check(arguments.token)
    if !isChild, request != nil { throw ValidationError("--request applies only to children; for a root, use --token") }
  }

  func run() async throws {
    try await global.perform { session in
      let input = try Assignment.all(arguments.input)
      if isChild {
        try await StartChild(session).run(arguments.flow, input, under: parent, options: Options(request: request, style: style))
      } else {
        let options = Options(
          token: arguments.token, timeout: arguments.timeout?.microseconds, fresh: arguments.freshness.option)
        try await StartFlow(session).run(arguments.flow, input, options: options)
      }
      return .success
    }
  }
}

/// The `coordinatorctl run` command.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Start a flow, wait until it ends, and print its result.",
    discussion: """
      Exits with 0 if the flow finished, 3 if it was cancelled, 4 if it failed. Ctrl-C dismisses it. If the flow with this token \
      has ended, the command prints its outcome again and says so on standard error; --fresh starts the flow again.
      """)
  @OptionGroup var global: GlobalOptions
  @OptionGroup var arguments: FlowArguments

  @Option(help: "'caller' (default): the flow is dismissed when this command ends; 'daemon': the flow continues.")
  var lifetime: Options.Lifetime?

  func validate() throws { try arguments.freshness.check(arguments.token) }

  func run() async throws {
    try await global.perform { session in
      let options = Options(
        token: arguments.token, lifetime: lifetime, timeout: arguments.timeout?.microseconds,
        fresh: arguments.freshness.option)
      return try await RunFlow(session).run(
        arguments.flow, Assignment.all(arguments.input), options: options, complain: StandardStreams.complain)
    }
  }
}
