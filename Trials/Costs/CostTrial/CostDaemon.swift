import ArgumentParser
import CostProbe
import DBus
import DaemonCommandLine
import TestFlows

/// The command that serves as the measured daemon, and reports its allocations on its standard output.
struct CostDaemon: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daemon", abstract: "Serve the flow that is measured.", shouldDisplay: false)

  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    cost_probe_listen()
    // Every call is slow under an instrument, but the trial counts the cost of a fast one.
    CallPace.longest.store(.max, ordering: .relaxed)
    try await daemon.serve(try .turn())
  }
}
