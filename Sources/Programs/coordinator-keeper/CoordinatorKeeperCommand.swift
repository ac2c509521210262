import CWiping
import CoordinatorKeeper
import Glibc

/// Keeps one program that asks people questions.
@main
struct CoordinatorKeeperCommand {
  static func main() {
    coordinatord_wipe_freed_memory()
    if ["--help", "-h"].contains(CommandLine.arguments.dropFirst().first) {
      report(KeeperOptions.usage, to: STDOUT_FILENO)
      exit(0)
    }
    do throws(KeeperFailure) {
      exit(try Keeper.run(try KeeperOptions(Array(CommandLine.arguments.dropFirst()))))
    } catch {
      report("coordinator-keeper: \(error)\n", to: STDERR_FILENO)
      exit(error.status)
    }
  }

  private static func report(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }
}
