import ArgumentParser
import ControlTool
import CoordinatorAnswers
import Glibc
import LinearTerminal
import Platform
import RendererKit

extension MissingPolicy: ExpressibleByArgument {}

/// The `coordinatorctl answer` command.
struct AnswerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer",
    abstract: "Play a flow to its end unattended, with the answers in a file.",
    discussion: """
      Starts the flow that the file names, answers its screens, and prints and exits as 'run' does. Without a token, the flow \
      is dismissed if it is not played to its end; with a token, it remains, and the same command resumes it. If the flow with \
      this token has already ended, the command prints its outcome, answers nothing, says so on standard error, and exits with 0 \
      if the flow finished, otherwise with 6; --fresh starts the flow again.

      If an item is not in its list yet, a screen is busy, or the flow cannot continue, the command waits. If an answer is \
      missing, it names the key and exits with 5; with --missing ask, it asks at the terminal if there is one.

      For the format of the file, see Docs/answers.md. 'coordinatorctl record' writes such a file.
      """)
  @OptionGroup var global: GlobalOptions

  @Argument(help: "The answers file (YAML); - is standard input.", completion: .file(extensions: ["yaml", "yml"]))
  var file: String?

  @Argument(help: ArgumentHelp("Input of the flow; overrides the input in the file.", valueName: "key=value"))
  var input: [String] = []

  @Option(
    help: ArgumentHelp("Print the beginning of an answers file for this flow, and do nothing else.", valueName: "flow"),
    completion: .flows)
  var stub: String?

  @Option(help: "Continue in this flow tree instead of starting a flow.", completion: .trees)
  var tree: String?

  @Option(help: "Names the flow tree, and makes the run safe to repeat: 1 to 64 characters of [A-Za-z0-9_].")
  var token: String?

  @OptionGroup var freshness: FreshOption

  @Option(
    help: ArgumentHelp(
      """
      If an answer is missing: fail (default), use the value that the screen proposes, ask at the terminal, or wait for somebody \
      who answers in a renderer.
      """,
      valueName: "fail|default|ask|wait"))
  var missing: MissingPolicy?

  @Flag(
    help: ArgumentHelp(
      "Only check whether the file is correct, without any effect.",
      discussion: """
        Plays the flow if the flow declares that this changes nothing outside it; otherwise checks what can be checked without \
        playing it.
        """))
  var check = false

  @Flag(help: "Exit with 1 if the file has answers that were never requested.")
  var strict = false

  @Option(help: "Give up after this time: 30s, 5m, 2h.", transform: DurationArgument.argument)
  var timeout: DurationArgument?

  @Option(
    help: "How long to wait for an item that is not in its list yet, or for a flow that cannot continue: 30s (default), 5m, 2h.",
    transform: DurationArgument.argument
  )
  var wait: DurationArgument?

  func validate() throws {
    try freshness.check(token)
    if (file == nil) == (stub == nil) { throw ValidationError("give the answers file, or --stub FLOW for the beginning of one") }
  }

  func run() async throws {
    try await global.perform { session in
      if let stub {
        try await DescribeFlow(session).stub(stub)
        return .success
      }
      let options = AnswerOptions(
        path: file ?? "-", input: try Assignment.all(input), tree: tree, token: token, isFresh: freshness.fresh, missing: missing,
        isStrict: strict, limit: timeout?.microseconds, patience: wait?.microseconds ?? 30_000_000, isCheck: check)
      return try await PlayAnswers(session).run(
        options, environment: Environment.variables, complain: StandardStreams.complain)
    }
  }
}

/// The `coordinatorctl record` command.
struct Record: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Answer a flow in this terminal, and write the answers to a file that 'answer' can play.",
    discussion: """
      Starts FLOW, or attaches to a running flow tree, and shows it line by line on standard error, as coordinator-tui --linear \
      does. When the flow has ended, or the user has left with q, the file is written. It contains no secrets: it refers to \
      credentials instead.

      Answers of other renderers are recorded too, but their values are not known; comments in the file mark them. With \
      --follow, this command asks nothing itself.

      With --exec, a program is run as 'coordinatorctl exec' runs it, and what it asks is recorded. The command exits as the \
      program does, and 'coordinatorctl exec --answers' plays the file.
      """)
  @OptionGroup var global: GlobalOptions

  @Argument(
    help: "A flow to start, or a flow tree to attach to; may be omitted if only one is running.", completion: .flowsAndTrees)
  var flowOrTree: String?

  @Argument(help: ArgumentHelp("The input of a flow that is started.", valueName: "key=value"))
  var input: [String] = []

  @Option(name: .shortAndLong, help: "The file to write; standard output if omitted.", completion: .file())
  var output: String?

  @Option(help: "Names the flow tree that is started: 1 to 64 characters of [A-Za-z0-9_].")
  var token: String?

  @Flag(help: "Only observe while other renderers answer.")
  var follow = false

  @Flag(help: "Run a program, which follows '--' with its arguments, instead of a flow.")
  var exec = false

  func validate() throws {
    guard exec else { return }
    let words = (flowOrTree.map { [$0] } ?? []) + input
    guard !words.isEmpty else {
      throw ValidationError("missing the program to run: coordinatorctl record --exec -- PROGRAM [ARGUMENT…]")
    }
  }

  func run() async throws {
    if exec { return try await runProgram() }
    try await global.perform { session in
      let options = RecordOptions(
        target: flowOrTree, input: try Assignment.all(input), token: token, path: output, isOnlooker: follow)
      let screen = TerminalScreen(environment: Environment.variables, output: STDERR_FILENO)
      return try await RecordAnswers(session).run(
        options, reader: LineReader(descriptor: STDIN_FILENO), screen: screen, write: StandardStreams.complain)
    }
  }

  private func runProgram() async throws {
    let environment = Environment.variables
    let count = 1 + input.count
    // Without the `--`, an option after the program could be meant for the program or for this command.
    guard CommandLine.arguments.dropLast(count).last == "--" else {
      throw ValidationError("the program has to follow '--': coordinatorctl record --exec -- PROGRAM [ARGUMENT…]")
    }
    var order = ProgramOrder(program: ProgramOrder.words(count))
    order.token = token
    let program = order
    let bus = await ProgramBus.chosen(global.bus.given, environment: environment)
    let options = RecordOptions(target: nil, path: output, isOnlooker: follow)
    try await global.output.perform { output in
      SudoUser.become(for: bus, environment: environment)
      return try await ToolSession.run(on: bus, output: output, readFile: StandardStreams.read) { session in
        let screen = TerminalScreen(environment: environment, output: STDERR_FILENO)
        let end = try await RecordProgram(session).run(
          program, options, reader: LineReader(descriptor: STDIN_FILENO), screen: screen, write: StandardStreams.complain)
        throw ExitCode(end)
      }
    }
  }
}
