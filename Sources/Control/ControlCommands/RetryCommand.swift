import ArgumentParser
import ControlTool

/// The `coordinatorctl retry` command.
struct Retry: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Retry what is held.",
    discussion: """
      A flow tree that cannot be restored after a restart is held, and so is a coordinator if an event that no caller waits \
      for cannot be handled. Nothing is lost, and 'tree' shows the reason. What is held is retried each time the daemon \
      starts, and by this command, which exits with 1 and prints the reasons if anything is still held.
      """)
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    try await global.perform { session in try await RetryHeld(session).run() }
  }
}
