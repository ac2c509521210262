import ControlCommands
import ScriptsCommand
import TerminalCommand
import WebCommand

/// `coordinatorctl`, `coordinator-tui`, `coordinator-web` and `coordinator-scripts` as one program, which the name that it is
/// called by tells apart. Installed as coordinatorctl, with links to it: they share most of their code and all of their
/// libraries, so four programs would take three times as much room.
@main
enum Tools {
  static func main() async {
    switch CommandLine.arguments.first?.split(separator: "/").last {
    case "coordinator-tui": await CoordinatorTUI.main()
    case "coordinator-web": await CoordinatorWebCommand.main()
    case "coordinator-scripts": await CoordinatorScriptsCommand.main()
    default: await Coordinatorctl.main()
    }
  }
}
