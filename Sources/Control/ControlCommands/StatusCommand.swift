import ArgumentParser
import ControlTool
import Platform

/// The `coordinatorctl status` command.
struct Status: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say which daemon is running, and how it is doing.",
    discussion: """
      Prints its version, process, bus, how long it has been running, flows, renderers, state directory and limits. Does not start \
      a daemon: exits with 2 if none is running. With --json: version, process, user, bus, flows, renderers, ephemeral, limits and, \
      if known, program, startedAt (microseconds since 1970), stateDirectory.
      """)
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    try await global.performReading { session in
      try await ShowStatus(session, on: global.bus.chosen).run(environment: Environment.variables)
    }
  }
}
