import ArgumentParser
import CoordinatorDaemon
import DaemonCommandLine
import Flows

/// The daemon with the flows that come with it.
@main
struct Coordinatord: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coordinatord",
    abstract: "Serves interactive flows over D-Bus, to be shown by any number of renderers at once.",
    discussion: """
      Serves on the session bus unless told otherwise. State is kept in memory: the flows end with the daemon.

      \(DaemonOptions.exitStatus)
      """,
    version: Daemon.version)

  @OptionGroup var daemon: DaemonOptions

  func run() async throws { try await daemon.serve(.builtIn()) }
}
