import ArgumentParser
import DaemonCommandLine
import TurnFlow

/// A daemon whose flow does as little as a flow can, so that what is measured is the daemon.
@main
struct BenchDaemon: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench-daemon", abstract: "Serves the flow that the benchmarks use.", discussion: DaemonOptions.exitStatus)

  @OptionGroup var daemon: DaemonOptions

  static func main() { mainOnOwnThreads() }

  func run() async throws {
    try await daemon.serve(try .turn())
  }
}
