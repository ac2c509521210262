import ArgumentParser
import ControlTool
import CoordinatorBus
import CoordinatorScripts
import Glibc
import Hardening
import Platform
import RendererKit
import ToolOptions

/// The `coordinatorctl` tool: parses arguments and runs the commands of the module ControlTool.
struct Coordinatorctl: AsyncParsableCommand {
  /// The commands that take another program, each with the word that precedes the program; empty if the program follows the
  /// command.
  static let programs = ["exec": "", "record": "--"]

  static let configuration = CommandConfiguration(
    commandName: "coordinatorctl",
    abstract: "Starts, shows and answers the flows of coordinatord from a shell or a script.",
    discussion: """
      A FLOW-TREE is the name of its root (pets_1), an unambiguous prefix of that name, or an object path. It may be omitted if \
      only one flow tree is running.

      Values are given as key=value. The schema of the screen, or of the flow's input, determines their types; values without \
      a schema are strings. key:=JSON passes JSON as is, key=@FILE the contents of a file, and key=@- a line of standard \
      input: for secrets, because every user of the machine can read command lines. To give a list, repeat its key.

      --json, --quiet, --address ADDRESS, --name NAME, --system and --user may be given before or after the command. A time \
      without a unit is in seconds.

      \(ToolExit.help(ToolExit.allCases))
      """,
    version: Release.version,
    subcommands: [
      Flows.self, Start.self, Run.self, Open.self, Status.self, DoctorCommand.self, List.self, Tree.self, Show.self, Send.self,
      Back.self, Wait.self,
      OutcomeCommand.self, Dismiss.self, Forget.self, Retry.self, Providers.self, ProviderCommand.self, ScriptCommand.self,
      Watch.self,
      Log.self, AnswerCommand.self, Record.self,
      Exec.self, Pinentry.self, PasswordAgent.self, New.self,
      Version.self,
    ])

  /// Creates the command, for the command-line parser to fill in.
  init() {}

  static func main() async {
    // This process handles passwords that are read from files or typed.
    ProcessHardening.forbidDumps()
    let arguments = GlobalArguments.behindCommand(
      Array(CommandLine.arguments.dropFirst()), flags: ["--json", "--system", "--user", "--quiet", "-q"],
      options: ["--address", "--name"])
    if let failure = UnknownCommand.failure(of: arguments, among: names) {
      let output = ToolOutput(isJSON: arguments.contains("--json"), style: TextStyle()) { _ in }
      StandardStreams.complain(failure.text(tool: "coordinatorctl", output: output))
      exit(withError: ExitCode(failure.exit.rawValue))
    }
    await main(arguments)
  }

  /// The names of the commands.
  private static var names: [String] {
    configuration.subcommands.flatMap { [$0._commandName] + $0.configuration.aliases } + ["help"]
  }
}

/// The `coordinatorctl version` command.
struct Version: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the version of this program; 'status' prints that of the daemon.")
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await output.perform { output in
      PrintVersion(output: output).run()
      return .success
    }
  }
}

/// The options of every command that calls the daemon.
struct GlobalOptions: ParsableArguments {
  @OptionGroup var bus: BusOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Use the session bus of the user, which is the default.")
  var user = false

  func validate() throws {
    if user, bus.given != nil { throw ValidationError("--user does not go with --system or --address") }
  }

  /// Performs a command that changes nothing, and prints only at its end. If the daemon leaves the bus before it has replied,
  /// the command is repeated with its successor.
  func performReading(_ body: (ToolSession) async throws -> ToolExit) async throws {
    try await perform { session in
      do {
        return try await body(session)
      } catch let failure as ToolFailure where failure.isDaemonGone {
        return try await body(session)
      }
    }
  }

  /// Connects to the daemon, runs a command, and exits with its exit code.
  func perform(_ body: (ToolSession) async throws -> ToolExit) async throws {
    try await output.perform { output in
      try await ToolSession.run(on: bus.chosen, output: output, readFile: StandardStreams.read, body)
    }
  }
}

/// The options that determine the format of a command's output.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Write JSON: one object, or one object per line for output that continues over time.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  /// Runs a command, reports its failure, and exits with its exit code.
  func perform(_ body: (ToolOutput) async throws -> ToolExit) async throws {
    let environment = Environment.variables
    let isQuiet = quiet
    let output = ToolOutput(
      isJSON: json, style: TextStyle(environment: environment, isTerminal: isatty(STDOUT_FILENO) == 1)
    ) { if !isQuiet { StandardStreams.write($0) } }
    do {
      throw ExitCode(try await body(output).rawValue)
    } catch let failure as ToolFailure {
      var complaint = output
      complaint.style = TextStyle(environment: environment, isTerminal: isatty(STDERR_FILENO) == 1)
      StandardStreams.complain(failure.text(tool: "coordinatorctl", output: complaint))
      throw ExitCode(failure.cause.rawValue)
    }
  }
}

/// Completes words of a command line from the daemon's data.
extension CompletionKind {
  static var flows: CompletionKind { known(.flows) }
  static var starting: CompletionKind { known(.starting) }
  static var trees: CompletionKind { known(.trees) }
  static var flowsAndTrees: CompletionKind { known(.flowsAndTrees) }
  static var ended: CompletionKind { known(.ended) }
  static var tokens: CompletionKind { known(.tokens) }
  static var screens: CompletionKind { known(.screens) }
  static var sending: CompletionKind { known(.sending) }

  private static func known(_ target: CompletionTarget) -> CompletionKind {
    .custom { words, index, _ in
      let shell = CompletionShell.requesting.flatMap { CompletingShell(rawValue: $0.rawValue) }
      let line = CompletionWords(words, at: index, isSplit: shell == .bash)
      if let text = line.daemon, let daemon = try? DaemonName(text) { DaemonName.choose(daemon) }
      let candidates = await Completion(line).candidates(target)
      return shell.map { candidates.compactMap($0.line) } ?? candidates
    }
  }
}

/// The `coordinatorctl status` command.
struct Status: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say which daemon is running, and how it is doing.",
    discussion: """
      Prints its version, process, bus, how long it has been running, flows, renderers, state directory and limits. Does not start \
      a daemon: exits with 2 if none is running. With --json: version, process, user, bus, flows, renderers, ephemeral, limits and, \
      if known, program, startedAt (microseconds since 1970), stateDirectory.
      """)
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    try await global.performReading { session in
      try await ShowStatus(session, on: global.bus.chosen).run(environment: Environment.variables)
    }
  }
}

/// The `coordinatorctl doctor` command.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check everything that flows need, and say what to do about what is wrong.",
    discussion: """
      Prints a line for each check: ok, warning or failed, what was found and, below it, what to do. Checks the bus, the daemon, \
      its version, the program that serves scripts, units, lingering, the state directory, limits, providers, and what is held. \
      Starts and changes nothing, and needs neither a daemon nor a bus. Exits with 1 if a check failed, otherwise with 0.

      With --json, an object: checks, each with name, state, text and advice; and the numbers failed and warnings.
      """)
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let environment = Environment.variables
    let scripts = global.bus.chosen == .system ? ScriptPlaces.system : ScriptPlaces.user(environment: environment)
    try await global.output.perform { output in
      await Doctor(on: global.bus.chosen, environment: environment, scripts: scripts.directories, output: output).run()
    }
  }
}

/// The `coordinatorctl new` command.
struct New: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a new flow with its test, ready to run.",
    usage: """
      coordinatorctl new NAME --shell|--python [--directory DIRECTORY]
             coordinatorctl new NAME --swift|--swift-provider [--directory DIRECTORY] [--checkout DIRECTORY]
      """,
    discussion: """
      --shell writes a script, an answers file, and a test that needs no daemon; --python a script and a test. --swift writes a \
      package with a daemon of its own, which runs beside coordinatord, its unit and its activation file, a test, and a Makefile \
      that makes a Debian package; --swift-provider one with a program that serves the flow to coordinatord. Prints the commands \
      to continue with. Existing files are not changed.
      """)
  @OptionGroup var output: OutputOptions

  @Argument(help: "The name of the flow: lower-case letters, digits and '-'.")
  var name: String

  @Flag(help: "What the flow is written in.")
  var language: NewFlow.Language?

  @Option(help: "The directory for the files.", completion: .directory)
  var directory = "."

  @Option(
    help: ArgumentHelp(
      "With --swift and --swift-provider: a directory with the sources of coordinatord, in place of the published ones.",
      valueName: "directory"),
    completion: .directory)
  var checkout: String?

  func validate() throws {
    if language == nil {
      throw ValidationError("say what the flow is to be written in: --shell, --python, --swift or --swift-provider")
    }
    if checkout != nil, language != .swift, language != .swiftProvider {
      throw ValidationError("--checkout needs --swift or --swift-provider")
    }
  }

  func run() async throws {
    try await output.perform { [language] output in
      guard let language else { return .usage }
      try NewFlow(output: output).run(name, language, in: directory, checkout: checkout)
      return .success
    }
  }
}

extension NewFlow.Language: EnumerableFlag {}
