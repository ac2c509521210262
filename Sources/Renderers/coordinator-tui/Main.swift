import Platform
import TerminalCommand

/// `coordinator-tui` as a separate program, for development. Installations contain coordinator-tools under this name instead.
@main
enum Main {
  static func main() async {
    ProgramArguments.requireUTF8()
    await CoordinatorTUI.main()
  }
}
