import ArgumentParser
import CostProbe
import DBus
import DaemonCommandLine
import TurnFlow

/// The daemon that is measured, and that answers on its standard output what it has allocated.
struct CostDaemon: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daemon", abstract: "Serves the flow that is measured.", shouldDisplay: false)

  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    cost_probe_listen()
    // Under an instrument every call takes long; what is counted is what calls cost that do not.
    CallPace.longest.store(.max, ordering: .relaxed)
    try await daemon.serve(try .turn())
  }
}
