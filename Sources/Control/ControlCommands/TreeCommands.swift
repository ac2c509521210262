import ArgumentParser
import ControlTool

/// The `coordinatorctl tree` command.
struct Tree: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draw all flow trees: their coordinators, each with its screens, the screen on top in brackets.")
  @OptionGroup var global: GlobalOptions

  @Flag(help: "Also draw flow trees that have ended, as long as their outcomes are known.")
  var all = false

  func run() async throws {
    try await global.performReading { session in
      try await DrawTrees(session).run(ended: all)
      return .success
    }
  }
}
