import ArgumentParser
import CoordinatorKit
import DaemonCommandLine
import TestFlows

/// A daemon whose flow does as little as possible, so that the figures are those of the daemon.
@main
struct BenchDaemon: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench-daemon", abstract: "Serves the flow that the benchmarks use.", discussion: DaemonOptions.exitStatus)

  @OptionGroup var daemon: DaemonOptions

  @Flag(help: "Have no flow: another process serves it.")
  var noFlows = false

  @Option(help: "Show a list of this many items instead of a message.")
  var items: Int?

  static func main() { mainOnOwnThreads { try await $0.serve(.turn()) } }

  func run() async throws {
    try await daemon.serve(noFlows ? FlowCatalogue() : items.map { try .turn(items: $0) } ?? .turn())
  }
}
