import ArgumentParser
import CoordinatorKit
import DaemonCommandLine
import Flows

@main
struct CoffeeDaemon: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coffee-daemon", abstract: "Serves coffee, and the flows that come with coordinatord.")

  @OptionGroup var daemon: DaemonOptions

  static func main() { mainOnOwnThreads() }

  func run() async throws {
    var catalogue = try FlowCatalogue.builtIn()
    try catalogue.add { Coffee() }
    try await daemon.serve(catalogue)
  }
}
