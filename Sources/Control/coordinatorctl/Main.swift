import ControlCommands
import Platform

/// `coordinatorctl` as a separate program, for development. Installations contain coordinator-tools under this name instead.
@main
enum Main {
  static func main() async {
    ProgramArguments.requireUTF8(before: Coordinatorctl.programs)
    await Coordinatorctl.main()
  }
}
