import ArgumentParser
import ControlTool

/// The `coordinatorctl wait` command.
struct Wait: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Wait until a flow tree shows a screen, can be answered, or has ended.",
    discussion: """
      Without an option, waits until the screen on top is not busy. Prints the screen that is on top then. If the flow ends \
      meanwhile, prints and exits as 'run' does or, if a screen was waited for, exits with 7. Exits with 11 after --timeout, and \
      with 12 if the flow is held.

      Examples:
        coordinatorctl wait install --started --screen summary --timeout 5m
        coordinatorctl wait install --ended
      """)
  @OptionGroup var global: GlobalOptions

  @Option(help: "Wait until the screen on top has this name. May be repeated: any of them.", completion: .screens)
  var screen: [String] = []

  @Flag(help: "Wait until the screen on top is not busy, also with --screen.")
  var idle = false

  @Flag(help: "Wait until the flow has ended, and print and exit as 'run' does.")
  var ended = false

  @Flag(help: "If there is no such flow tree yet, wait until it has been started.")
  var started = false

  @Option(help: "Give up after this time: 30s, 5m, 2h. Without it, wait for ever.", transform: TimeSpan.argument)
  var timeout: TimeSpan?

  @Argument(
    help: "The flow tree, also one that has ended; may be omitted if there is only one.", completion: .trees)
  var flowTree: String?

  func validate() throws {
    if ended, idle || !screen.isEmpty { throw ValidationError("--ended does not go with --screen or --idle") }
    if started, flowTree == nil { throw ValidationError("--started requires the name of the flow tree") }
  }

  func run() async throws {
    try await global.perform { session in
      try await WaitForTree(session).run(
        flowTree, until: WaitCondition(screens: screen, isIdle: idle, isEnd: ended), orStart: started,
        limit: timeout?.microseconds)
    }
  }
}
