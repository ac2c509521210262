import ArgumentParser
import ControlTool

/// The `coordinatorctl outcome` command.
struct Outcome: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print how a flow has ended, and its result.",
    discussion: """
      Exits with 0 if the flow finished, 3 if it was cancelled, 4 if it failed; with 1 if it is still running.
      """)
  @OptionGroup var global: GlobalOptions

  @Argument(
    help: "The name of a flow tree, which is its token if it has one, or the path of a child.", completion: .ended)
  var flowTree: String

  func run() async throws {
    try await global.performReading { session in try await ShowOutcome(session).run(flowTree) }
  }
}
