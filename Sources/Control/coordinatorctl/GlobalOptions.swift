import ArgumentParser
import CoordinatorTools

/// What every command takes that talks to a daemon.
struct GlobalOptions: ParsableArguments {
  @OptionGroup var bus: BusOptions
  @OptionGroup var output: OutputOptions

  /// Connects, carries out a command, and exits with what comes of it.
  func perform(_ body: (ControlTool) async throws -> ToolExit) async throws {
    try await output.perform { output in
      try await ControlTool.run(on: bus.chosen, output: output, readFile: StandardStreams.read, body)
    }
  }
}
