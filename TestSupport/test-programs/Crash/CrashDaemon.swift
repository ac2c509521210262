import ArgumentParser
import CoordinatorKit
import DaemonCommandLine

/// The daemon of the crash trial.
struct CrashDaemon: AsyncParsableCommand {
  @OptionGroup var daemon: DaemonOptions

  @Flag(help: "Hold all work until its flow is told how the work should end.")
  var holdWork = false

  @Flag(help: "Have no flows of its own: another process serves them.")
  var noFlows = false

  func run() async throws { try await daemon.serve(noFlows ? FlowCatalogue() : .crash(holdingWork: holdWork)) }
}
