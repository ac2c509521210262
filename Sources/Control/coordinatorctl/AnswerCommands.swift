import ArgumentParser
import ControlTool
import CoordinatorAnswers
import Foundation
import LinearTerminal
import RendererKit

extension MissingPolicy: ExpressibleByArgument {}

/// The `coordinatorctl answer` command.
struct AnswerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer",
    abstract: "Play a flow to its end with the answers in a file, with nobody there.",
    discussion: """
      Starts the flow that the file names, answers its screens, and prints and exits as 'run' does. Without a token the flow is \
      dismissed if it is not played to its end; with one it stays, and the same command takes it up again. Once it has ended, the command \
      prints how, answers nothing, and exits with 0 if it has finished, and else with 6.

      An item that is not in its list yet is waited for, and so is a screen that is busy. Exits with 5 if an answer is missing, and names its key. Nobody is asked unless --missing ask says so and there is a terminal.

      The format of the file: Docs/answers.md. 'coordinatorctl record' writes one.
      """)
  @OptionGroup var global: GlobalOptions

  @Argument(help: "The answers file (YAML); - is standard input.", completion: .file(extensions: ["yaml", "yml"]))
  var file: String

  @Argument(help: ArgumentHelp("More of the flow's input, in place of what the file says.", valueName: "key=value"))
  var input: [String] = []

  @Option(help: "Play on in this flow tree, instead of starting a flow.")
  var tree: String?

  @Option(help: "Names the flow tree, and makes the run safe to repeat: 1 to 64 of [A-Za-z0-9_].")
  var token: String?

  @Option(
    help: ArgumentHelp(
      "Where an answer is missing: fail (default), take what the screen proposes, or ask at the terminal.",
      valueName: "fail|default|ask"))
  var missing: MissingPolicy?

  @Flag(
    help: ArgumentHelp(
      "Only find out whether the file is right, without any effect.",
      discussion: "Plays the flow if it says that this changes nothing outside of it; checks what else can be told beforehand."))
  var check = false

  @Flag(help: "Exit with 1 if the file has answers that were not asked for.")
  var strict = false

  @Option(help: "Give up after this time: 30s, 5m, 2h.", transform: TimeSpan.argument)
  var timeout: TimeSpan?

  @Option(help: "How long to wait for an item that is not in its list yet: 30s (default), 5m, 2h.", transform: TimeSpan.argument)
  var wait: TimeSpan?

  func run() async throws {
    try await global.perform { session in
      let options = AnswerOptions(
        path: file, input: try Assignment.all(input), tree: tree, token: token, missing: missing, isStrict: strict,
        limit: timeout?.microseconds, patience: wait?.microseconds ?? 30_000_000, isCheck: check)
      return try await PlayAnswers(session).run(
        options, environment: ProcessInfo.processInfo.environment, complain: StandardStreams.complain)
    }
  }
}

/// The `coordinatorctl record` command.
struct Record: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Answer a flow in this terminal, and write the answers to a file that 'answer' plays.",
    discussion: """
      Starts FLOW, or attaches to a flow tree that is running, and shows it line by line, as coordinator-tui --linear does, on standard \
      error. When the flow has ended, or its user has left it with q, the file is written. Secrets are not in it: it refers to credentials in their place.

      What other renderers answer meanwhile is recorded too; what they fill in is not told, and the file says where. With --follow \
      nothing is asked here.
      """)
  @OptionGroup var global: GlobalOptions

  @Argument(help: "A flow to start, or a flow tree to attach to; may be left out when just one is running.")
  var flowOrTree: String?

  @Argument(help: ArgumentHelp("The input of a flow that is started.", valueName: "key=value"))
  var input: [String] = []

  @Option(name: .shortAndLong, help: "The file to write; standard output if it is left out.", completion: .file())
  var output: String?

  @Option(help: "Names the flow tree that is started: 1 to 64 of [A-Za-z0-9_].")
  var token: String?

  @Flag(help: "Only look on, while other renderers answer.")
  var follow = false

  func run() async throws {
    try await global.perform { session in
      let options = RecordOptions(
        target: flowOrTree, input: try Assignment.all(input), token: token, path: output, isOnlooker: follow)
      let screen = TerminalScreen(environment: ProcessInfo.processInfo.environment, output: STDERR_FILENO)
      return try await RecordAnswers(session).run(
        options, reader: LineReader(descriptor: STDIN_FILENO), screen: screen, write: StandardStreams.complain)
    }
  }
}
