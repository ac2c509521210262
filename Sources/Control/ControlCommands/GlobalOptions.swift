import ArgumentParser
import RendererKit
import ToolOptions

/// The options of every command that calls the daemon.
struct GlobalOptions: ParsableArguments {
  @OptionGroup var bus: BusOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Use the session bus of the user, which is the default.")
  var user = false

  func validate() throws {
    if user, bus.given != nil { throw ValidationError("--user does not go with --system or --address") }
  }

  /// Performs a command that changes nothing, and prints only at its end. If the daemon leaves the bus before it has replied,
  /// the command is repeated with its successor.
  func performReading(_ body: (ToolSession) async throws -> ToolExit) async throws {
    try await perform { session in
      do {
        return try await body(session)
      } catch let failure as ToolFailure where failure.isDaemonGone {
        return try await body(session)
      }
    }
  }

  /// Connects to the daemon, runs a command, and exits with its exit code.
  func perform(_ body: (ToolSession) async throws -> ToolExit) async throws {
    try await output.perform { output in
      try await ToolSession.run(on: bus.chosen, output: output, readFile: StandardStreams.read, body)
    }
  }
}
