import ArgumentParser
import ControlTool
import CoordinatorAnswers
import CoordinatorBus
import Platform
import RendererKit

/// The `coordinatorctl exec` command.
struct Exec: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exec",
    abstract: "Run a program that asks with whiptail, dialog, debconf or askpass, and show its questions in every renderer.",
    usage: """
      coordinatorctl exec [<option> ...] [--] <program> [<argument> ...]
      """,
    discussion: """
      The program runs once and unchanged, with the user, directory and environment of this command, on a terminal of its own. \
      Its questions appear here and, at the same time, wherever else the flow tree is shown: in coordinator-tui, and in browsers \
      with coordinator-web. Whoever answers first, answers. The program goes on if this terminal is closed, and if coordinatord, \
      coordinator-scripts or a renderer ends or is killed.

      While questions are shown here, Ctrl-C leaves them, and the program goes on; this command then waits for its end. Ctrl-C \
      then ends the program, with everything that it has started.

      With --answers, questions are answered from a file: YAML, as 'coordinatorctl answer' reads it, with the screens of the \
      flow 'program'; or lines for debconf-set-selections, as they are. If an answer is missing, the program is ended, and this \
      command exits with 5; with --missing wait, somebody can answer in a renderer.

      Exits with the status of the program, or with 128 plus the number of the signal that ended it; with 127 if there is no such \
      program, 126 if it cannot be started, and 125 if its end is not known.

      EXAMPLES
        coordinatorctl exec -- ./install.sh
        sudo coordinatorctl exec -- dpkg-reconfigure tzdata
        coordinatorctl exec --answers answers.yaml -- ./install.sh
      """)
  @OptionGroup var global: GlobalOptions

  @Option(help: "Names the flow tree, such as install: 1 to 64 characters of [A-Za-z0-9_].")
  var token: String?

  @OptionGroup var freshness: FreshOption

  @Option(
    help: ArgumentHelp("The title of the flow tree; by default, the command line of the program.", valueName: "text"))
  var title: String?

  @Option(
    help: ArgumentHelp("Answer from this file; - is standard input.", valueName: "file"), completion: .file())
  var answers: String?

  @Option(
    help: ArgumentHelp(
      """
      If an answer is missing: fail (default), use the value that the screen proposes, ask at the terminal, or wait for somebody \
      who answers in a renderer.
      """,
      valueName: "fail|default|ask|wait"))
  var missing: MissingPolicy?

  @Argument(
    parsing: .captureForPassthrough, help: ArgumentHelp("The program and its arguments.", valueName: "program"),
    completion: .file())
  var program: [String] = []

  func validate() throws {
    try checkOptions()
    try freshness.check(token)
    if missing != nil, answers == nil { throw ValidationError("--missing applies only with --answers") }
    if command.isEmpty { throw ValidationError("the program is missing: coordinatorctl exec -- PROGRAM [ARGUMENT…]") }
  }

  /// Unknown options have become the program. A program whose name looks like an option was meant as one.
  private func checkOptions() throws {
    guard let first = program.first, first.bytes.hasPrefix("-"), first != "--" else { return }
    switch first {
    case "-h", "--help": throw CleanExit.helpRequest(self)
    case "--version": throw CleanExit.message(Release.version)
    default: throw ValidationError("Unknown option '\(first)'. If it is the program, write -- before it.")
    }
  }

  func run() async throws {
    let environment = Environment.variables
    let bus = await ProgramBus.chosen(global.bus.given, environment: environment)
    var order = ProgramOrder(program: command)
    (order.title, order.token, order.isFresh) = (title, token, freshness.fresh)
    let started = order
    try await global.output.perform { output in
      // If the file has a mistake, nothing is started.
      let file = try answers.map { path throws(ToolFailure) in try ProgramAnswers(path, missing: missing) }
      var program = started
      program.selections = file?.selections
      SudoUser.become(for: bus, environment: environment)
      return try await ToolSession.run(on: bus, output: output, readFile: StandardStreams.read) { [program] session in
        let end = try await ExecProgram(session).run(
          program, answers: file, on: bus, environment: environment, complain: StandardStreams.complain)
        throw ExitCode(end)
      }
    }
  }

  /// The program and its arguments.
  private var command: [[CChar]] {
    ProgramOrder.words((program.first == "--" ? program.dropFirst() : program[...]).count)
  }
}
