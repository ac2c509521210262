import ArgumentParser
import CoordinatorKit
import DaemonCommandLine
import Flows

/// The daemon of the crash trial: `coordinatord` with the flow `errands`, whose work and timers end without a call, and
/// the flow `switchboard`, whose coordinators tell each other values.
@main
struct CrashDaemon: AsyncParsableCommand {
  @OptionGroup var daemon: DaemonOptions

  @Flag(help: "Hold all work until its flow is told how the work should end.")
  var holdWork = false

  func run() async throws {
    var catalogue = try FlowCatalogue.builtIn()
    try catalogue.add { [holdWork] in Errands(isHeld: holdWork) }
    try catalogue.add { Switchboard() }
    try catalogue.add { Extension() }
    try await daemon.serve(catalogue)
  }
}
