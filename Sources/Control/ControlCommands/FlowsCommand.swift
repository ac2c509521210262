import ArgumentParser
import ControlTool

/// The `coordinatorctl flows` command.
struct Flows: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the flows that can be started, and their input, or describe some of them.")
  @OptionGroup var global: GlobalOptions

  @Argument(help: "The names of flows to describe.", completion: .flows)
  var flow: [String] = []

  func run() async throws {
    try await global.performReading { session in
      if flow.isEmpty { try await ListFlows(session).run() } else { try await DescribeFlow(session).run(flow) }
      return .success
    }
  }
}
