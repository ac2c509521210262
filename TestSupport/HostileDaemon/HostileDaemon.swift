import ArgumentParser
import CoordinatorKit
import DaemonCommandLine
import Flows
import HostileFlows

/// A daemon as its users would build it, with flows that misbehave in ways that a daemon must survive. For tests.
@main
struct HostileDaemon: AsyncParsableCommand {
  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    var catalogue = try FlowCatalogue.builtIn()
    try catalogue.addHostile()
    try await daemon.serve(catalogue)
  }
}
