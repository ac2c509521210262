import Platform
import WebCommand

/// `coordinator-web` as a separate program, for development. Installations contain coordinator-tools under this name instead.
@main
enum Main {
  static func main() async {
    ProgramArguments.requireUTF8()
    await CoordinatorWebCommand.main()
  }
}
