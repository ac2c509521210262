import ArgumentParser
import ControlTool

/// The `coordinatorctl watch` command.
struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Follow what a flow tree shows until it ends.",
    discussion:
      """
      Exits as 'run' does. Meanwhile it counts as a renderer. With --json, each line is an object with an 'event': window, \
      progress, daemon-lost, daemon-back, ended.
      """
  )
  @OptionGroup var global: GlobalOptions

  @Argument(help: "The flow tree; may be omitted if there is only one.", completion: .trees)
  var flowTree: String?

  func run() async throws {
    try await global.perform { session in try await WatchTree(session).run(flowTree) }
  }
}
