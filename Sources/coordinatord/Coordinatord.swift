import Accounts
import ArgumentParser
import CoordinatorDaemon
import DaemonCommandLine
import Flows

/// The daemon with the flows that come with it.
@main
struct Coordinatord: AsyncParsableCommand {
  static func main() { mainOnOwnThreads() }

  static let configuration = CommandConfiguration(
    commandName: "coordinatord",
    abstract: "Serves interactive flows over D-Bus, to be shown by any number of renderers at once.",
    discussion: """
      Serves on the session bus unless told otherwise. Flows are kept in a state directory, and go on when the daemon is \
      started again; with --ephemeral they end with it.

      \(DaemonOptions.exitStatus)
      """,
    version: Daemon.version)

  @OptionGroup var daemon: DaemonOptions

  @Option(
    help: "The file of users and their hashes, for the flow `account`. Without one there is the user `demo` alone.",
    completion: .file(extensions: ["json"]))
  var accounts: String?

  func run() async throws {
    let logger = daemon.logger
    let manager = CryptAccountManager(file: accounts) { logger.warning("\($0)") }
    do {
      if accounts != nil { try await manager.verify() }
    } catch {
      logger.error("\(error)")
      throw ExitCode.failure
    }
    try await daemon.serve(.builtIn(accounts: manager))
  }
}
