import ArgumentParser
import ControlTool
import CoordinatorBus
import Hardening
import RendererKit

/// The `coordinatorctl` tool: parses arguments and runs the commands of the module ControlTool.
@main
struct Coordinatorctl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coordinatorctl",
    abstract: "Starts, shows and answers the flows of coordinatord, from a shell or a script.",
    discussion: """
      A FLOW-TREE is the name of its root (pets_1), the beginning of one that no other has, or an object path. It may be left out when \
      just one is running.

      Values are given as key=value and typed by the schema of the screen, or of the flow's input; where there is none they are texts.
      key:=JSON passes JSON as it is, key=@FILE the contents of a file, key=@- a line of standard input: for secrets, which \
      everybody on the machine can read on a command line. A list is given by repeating its key.

      --json, --address ADDRESS and --system may stand before the command as well as behind it.

      \(ToolExit.help(ToolExit.allCases))
      """,
    version: Release.version,
    subcommands: [
      Flows.self, Start.self, Run.self, Open.self, Tree.self, Show.self, Send.self, Back.self, Dismiss.self, Retry.self,
      Watch.self, Log.self, AnswerCommand.self, Record.self,
    ])

  static func main() async {
    // This process handles passwords that are read from files or typed.
    ProcessHardening.forbidDumps()
    let arguments = Array(CommandLine.arguments.dropFirst())
    await main(GlobalArguments.behindCommand(arguments, flags: ["--json", "--system"], options: ["--address"]))
  }
}
