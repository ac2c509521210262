import CoordinatorKeeper
import Dispatch
import Glibc
import Platform

/// The daemon, its tools and its renderers in one program, which selects the tool by the name it was called by. Installed as
/// coordinatorctl, with links to it; in the build directory, `Scripts/link-programs` creates the links. The tools share most of
/// their code and all of their libraries, so separate programs would take three times as much room.
@main
enum Tools {
  static func main() {
    switch CommandLine.arguments.first?.bytes.split(separator: "/").last {
    // These two run on dedicated threads, or on none.
    case "coordinatord": Coordinatord.main()
    case "coordinator-keeper": CoordinatorKeeperCommand.main()
    case "coordinator-tui": run { await CoordinatorTUI.main() }
    case "coordinator-web": run { await CoordinatorWebCommand.main() }
    case "coordinator-scripts": run { await CoordinatorScriptsCommand.main() }
    default: run { await Coordinatorctl.main() }
    }
  }

  /// Runs a command as an asynchronous `main` does, and ends the process.
  private static func run(_ command: @escaping @MainActor @Sendable () async -> Void) -> Never {
    ProgramArguments.requireUTF8(before: Coordinatorctl.programs)
    Task { @MainActor in
      await command()
      exit(0)
    }
    dispatchMain()
  }
}
