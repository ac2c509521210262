import ArgumentParser
import CoordinatorKit
import DaemonCommandLine

/// A daemon with deterministic flows that have children, drafts, work and secrets. For trials of stored data, including by a
/// daemon that is older than its data.
struct FaultDaemon: AsyncParsableCommand {
  @OptionGroup var daemon: DaemonOptions

  @Option(help: "Exclude this flow.")
  var without: String?

  @Option(help: "The version of the flow depot.")
  var depotVersion = 2

  func run() async throws {
    Depot.version.withLock { $0 = depotVersion }
    var catalogue = FlowCatalogue()
    if without != Cabinet.flow.name { try catalogue.add { Cabinet() } }
    if without != Depot.flow.name { try catalogue.add { Depot() } }
    if without != Parcel.flow.name { try catalogue.add { Parcel() } }
    try await daemon.serve(catalogue)
  }
}
