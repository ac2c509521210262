import Platform
import WebCommand

/// `coordinator-web` as a program of its own, for developing. What is installed of it is coordinator-tools, under this name.
@main
enum Main {
  static func main() async {
    ProgramArguments.requireUTF8()
    await CoordinatorWebCommand.main()
  }
}
