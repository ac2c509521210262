import ArgumentParser
import CoordinatorKit
import DaemonCommandLine

@main
struct FirstBootDaemon: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "first-boot-daemon", abstract: "Sets up a machine when it is started for the first time.")

  @OptionGroup var daemon: DaemonOptions

  static func main() { mainOnOwnThreads() }

  func run() async throws { try await daemon.serve(.settingUp(.ofSystem()), domain: "first-boot") }
}

extension FlowCatalogue {
  /// The flows that set up a machine.
  static func settingUp(_ machine: Machine) throws -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.add { FirstBoot(machine: machine) }
    try catalogue.add { NetworkSetup(machine: machine) }
    try catalogue.add { UserSetup(machine: machine) }
    try catalogue.add { Applying(machine: machine) }
    return catalogue
  }
}
