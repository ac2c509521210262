import ArgumentParser
import CoordinatorKit
import DaemonCommandLine
import Flows

/// A daemon to be killed: `coordinatord` with the flow `errands`, whose work ends without anybody's doing.
@main
struct CrashDaemon: AsyncParsableCommand {
  @OptionGroup var daemon: DaemonOptions

  @Flag(help: "Let no work end before its flow is told how it is to.")
  var holdWork = false

  func run() async throws {
    var catalogue = try FlowCatalogue.builtIn()
    try catalogue.add { [holdWork] in Errands(isHeld: holdWork) }
    try await daemon.serve(catalogue)
  }
}
