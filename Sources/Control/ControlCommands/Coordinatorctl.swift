import ArgumentParser
import ControlTool
import CoordinatorBus
import Hardening
import RendererKit

/// The `coordinatorctl` tool: parses arguments and runs the commands of the module ControlTool.
package struct Coordinatorctl: AsyncParsableCommand {
  /// The commands that take another program, each with the word that precedes the program; empty if the program follows the
  /// command.
  package static let programs = ["exec": "", "record": "--"]

  package static let configuration = CommandConfiguration(
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
      Flows.self, Start.self, Run.self, Open.self, Status.self, List.self, Tree.self, Show.self, Send.self, Back.self, Wait.self,
      Outcome.self, Dismiss.self, Forget.self, Retry.self, Providers.self, ProviderCommand.self, ScriptCommand.self, Watch.self,
      Log.self, AnswerCommand.self, Record.self,
      Exec.self, Pinentry.self, PasswordAgent.self, New.self,
      Version.self,
    ])

  /// Creates the command, for the command-line parser to fill in.
  package init() {}

  package static func main() async {
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
