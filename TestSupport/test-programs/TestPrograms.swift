import Glibc

/// The programs that tests and trials start, in one executable, which selects the program by the name it was called by, as
/// the installed tools do. `Scripts/link-programs` creates the links.
@main
enum TestPrograms {
  static func main() async throws {
    switch CommandLine.arguments.first?.utf8.split(separator: UInt8(ascii: "/")).last.flatMap({ String($0) }) {
    case "CrashDaemon": await CrashDaemon.main()
    case "CrashProvider": await CrashProvider.main()
    case "FaultDaemon": await FaultDaemon.main()
    case "FaultyProvider": try await FaultyProvider.main()
    case "GalleryDaemon": await GalleryDaemon.main()
    case "HostileDaemon": await HostileDaemon.main()
    case "JournalWriter": try await JournalWriter.main()
    case "debconf-trial": try DebconfTrial.main()
    case "dialog-trial": try DialogTrialCommand.main()
    case "flows-provider": await FlowsProvider.main()
    case "program-trial": try ProgramTrial.main()
    default:
      var advice = "test-programs: call this program by the name of a link that Scripts/link-programs has created\n"
      _ = advice.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
      exit(EX_USAGE)
    }
  }
}
