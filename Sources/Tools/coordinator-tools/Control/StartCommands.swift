import ArgumentParser
import ControlTool
import CoordinatorBus
import Glibc
import Platform
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

  @Option(help: "Dismiss the flow after this time: 30s, 5m, 2h.", transform: DurationArgument.argument)
  var timeout: DurationArgument?
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

extension DurationArgument {
  /// Parses an argument.
  static func argument(_ text: String) throws -> DurationArgument {
    guard let span = DurationArgument(text) else { throw ValidationError("'\(text)' is not a time such as 30s, 5m or 2h") }
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

/// The `coordinatorctl flows` command.
struct Flows: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the flows that can be started, and their input, or describe some of them.")
  @OptionGroup var global: GlobalOptions

  @Argument(help: "The names of flows to describe.", completion: .flows)
  var flow: [String] = []

  func run() async throws {
    try await global.performReading { session in
      if flow.isEmpty { try await ListFlows(session).run() } else { try await DescribeFlow(session).run(flow) }
      return .success
    }
  }
}

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

/// The `coordinatorctl providers` command.
struct Providers: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the programs that serve flows.",
    discussion: """
      The state is 'running', 'activatable' (the bus starts the program when a flow needs it), 'away' (it is not running, and the \
      bus does not know how to start it) or 'failing'. Below each program are its provider file and what is wrong.
      """)
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    try await global.perform { session in
      try await ListProviders(session).run()
      return .success
    }
  }
}

/// The `coordinatorctl provider` commands.
struct ProviderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "provider",
    abstract: "Retry what a provider has left held, or check provider files.",
    subcommands: [ProviderRetry.self, ProviderCheck.self])
}

/// The `coordinatorctl provider retry` command.
struct ProviderRetry: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Retry what is held, as 'coordinatorctl retry' does.",
    discussion: """
      A coordinator is held if its provider could not decide about an event that no caller waits for. With COORDINATOR, the \
      command says whether that coordinator is still held, and exits with 1 if it is.
      """)
  @OptionGroup var global: GlobalOptions

  @Argument(help: "The flow tree, or the path of a child such as pets_1/schedule_visit_1; by default all.")
  var coordinator: String?

  func run() async throws {
    try await global.perform { session in try await RetryHeld(session).run(coordinator) }
  }
}

/// The `coordinatorctl provider check` command.
struct ProviderCheck: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check provider files as the daemon does, without a daemon.",
    discussion: """
      Prints which flows each file gives to which bus name or, each with file and line, what is wrong; exits with 1 if anything is. \
      For the format, see coordinatord.provider(5).
      """)
  @OptionGroup var output: OutputOptions

  @Argument(help: "The provider files.", completion: .file(extensions: ["conf"]))
  var files: [String]

  func run() async throws {
    try await output.perform { output in CheckProviders(output: output).run(files) }
  }
}
