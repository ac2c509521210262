import ArgumentParser
import CoordinatorKit
import DaemonCommandLine

/// A daemon whose flow does as little as a flow can, so that what is measured is the daemon.
@main
struct BenchDaemon: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench-daemon", abstract: "Serves the flow that the benchmarks use.", discussion: DaemonOptions.exitStatus)

  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { Turn() }
    try await daemon.serve(catalogue)
  }
}
