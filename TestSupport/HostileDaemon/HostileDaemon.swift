import ArgumentParser
import CoordinatorKit
import DaemonCommandLine
import Flows
import HostileFlows

/// A daemon as its users would build it, with flows among the others that no daemon should have to bear. For tests.
@main
struct HostileDaemon: AsyncParsableCommand {
  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    var catalogue = try FlowCatalogue.builtIn()
    try catalogue.addHostile()
    try await daemon.serve(catalogue)
  }
}
