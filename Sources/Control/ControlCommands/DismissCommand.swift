import ArgumentParser
import ControlTool
import Glibc
import Platform
import RendererKit

/// The `coordinatorctl dismiss` command.
struct Dismiss: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "End flow trees, or one coordinator in a tree with everything below it, as cancelled.",
    discussion: """
      --all and --flow ask before they end anything that renderers show, if there is a terminal to ask at, and --yes is not given.
      """)
  @OptionGroup var global: GlobalOptions

  @Option(help: "Makes the call safe to repeat: 1 to 64 characters of [A-Za-z0-9_-].")
  var request: String?

  @Flag(help: "End all flow trees.")
  var all = false

  @Option(help: "End all flow trees of this flow.", completion: .flows)
  var flow: String?

  @Flag(name: .shortAndLong, help: "Do not ask.")
  var yes = false

  @Argument(
    help: "A flow tree, or the path of a child such as pets_1/schedule_visit_1; may be omitted if there is only one tree.",
    completion: .trees)
  var coordinator: [String] = []

  func validate() throws {
    let isMany = all || flow != nil
    if all, flow != nil { throw ValidationError("--all and --flow are mutually exclusive") }
    if isMany, !coordinator.isEmpty { throw ValidationError("--all and --flow do not go with the name of a flow tree") }
    if request != nil, isMany || coordinator.count > 1 { throw ValidationError("--request applies to one flow tree") }
    if yes, !isMany { throw ValidationError("--yes applies only with --all and --flow: nothing else asks") }
  }

  func run() async throws {
    try await global.perform { session in
      let dismiss = DismissCoordinator(session)
      if all || flow != nil {
        return try await dismiss.all(of: flow, confirm: isConfirmed, complain: StandardStreams.complain)
      }
      if coordinator.count > 1 { return try await dismiss.run(coordinator, complain: StandardStreams.complain) }
      try await dismiss.run(coordinator.first, request: request)
      return .success
    }
  }

  /// Asks at the terminal, if there is one; without a terminal, no confirmation is needed.
  private func isConfirmed(_ question: String) -> Bool {
    guard !yes, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return true }
    StandardStreams.complain(question)
    return ["y", "yes"].contains(readLine()?.bytes.lowercased)
  }
}
