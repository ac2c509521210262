import ArgumentParser
import CoordinatorKit
import DaemonCommandLine

/// A daemon with a separate name, which runs beside coordinatord: org.coordinatord.greet-people on the bus.
@main
struct Main: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "greet-people", abstract: "Serves the flow greet-people.")

  @OptionGroup var daemon: DaemonOptions

  static func main() { mainOnOwnThreads(named: "greet-people") { try await serve($0) } }

  func run() async throws { try await Self.serve(daemon.arguments()) }

  @Sendable private static func serve(_ arguments: DaemonArguments) async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { GreetPeople() }
    try await arguments.serve(catalogue)
  }
}
