import ArgumentParser
import ControlTool
import CoordinatorAnswers
import Foundation
import RendererKit

/// The `coordinatorctl exec` command.
struct Exec: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exec",
    abstract: "Run a program that asks questions with whiptail, dialog, debconf or askpass, and show them in every renderer.",
    discussion: """
      The program runs once, unchanged, on a terminal of its own, with the user, directory and environment of this command. Its \
      questions are shown in this terminal and, at the same time, wherever else the flow tree is shown. It goes on if this \
      terminal, a renderer or coordinatord is closed or ended; whoever answers first, answers. Ctrl-C leaves the renderer in \
      this terminal, and then ends the program.

      Exits with the status of the program, or 128 plus the number of the signal that ended it; 126 if the program cannot be \
      started, 127 if there is no such program, 125 if it got out of reach.

      With --answers, the questions are answered from a file: an answers file, as 'coordinatorctl record --exec' writes it, or a \
      file for debconf-set-selections. If an answer is missing, the program is ended, and the command exits with 5; with \
      --missing wait, the question is left to whoever answers it in a renderer.

      See Docs/programs.md for the programs that work.
      """)
  @OptionGroup var global: GlobalOptions

  @Option(help: "Names the flow tree: 1 to 64 characters of [A-Za-z0-9_].")
  var token: String?

  @OptionGroup var freshness: FreshOption

  @Option(help: "What people read above the screens; by default, the command line.")
  var title: String?

  @Option(help: "Answer from this file; - is standard input.", completion: .file())
  var answers: String?

  @Option(
    help: ArgumentHelp(
      "If an answer is missing: fail (default), default, ask or wait; see 'coordinatorctl help answer'.",
      valueName: "fail|default|ask|wait"))
  var missing: MissingPolicy?

  @Argument(
    parsing: .captureForPassthrough, help: ArgumentHelp("The program and its arguments.", valueName: "program"),
    completion: .file())
  var program: [String] = []

  func validate() throws {
    try freshness.check(token)
    if missing != nil, answers == nil { throw ValidationError("--missing applies only with --answers") }
    if command.isEmpty { throw ValidationError("missing the program to run: coordinatorctl exec -- PROGRAM [ARGUMENT…]") }
  }

  func run() async throws {
    let environment = ProcessInfo.processInfo.environment
    let bus = await ProgramBus.chosen(global.bus.given, environment: environment)
    var order = ProgramOrder(program: command)
    (order.title, order.token, order.isFresh) = (title, token, freshness.fresh)
    let started = order
    try await global.output.perform { output in
      // With a mistake in the file, nothing is started.
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
