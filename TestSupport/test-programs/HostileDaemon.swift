import ArgumentParser
import CoordinatorKit
import DaemonCommandLine
import Flows
import TestFlows

/// A daemon with misbehaving flows, like one that its users would build, for tests that a daemon survives them.
struct HostileDaemon: AsyncParsableCommand {
  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    var catalogue = try FlowCatalogue.builtIn()
    try catalogue.addHostile()
    try await daemon.serve(catalogue)
  }
}
