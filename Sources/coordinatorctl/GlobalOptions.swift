import ArgumentParser
import CoordinatorClient
import CoordinatorTools
import DBus

/// What every command takes that talks to a daemon.
struct GlobalOptions: ParsableArguments {
  @Option(help: "Use the bus at this D-Bus address.")
  var address: String?

  @Flag(help: "Use the system bus.")
  var system = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if system && address != nil { throw ValidationError("--system and --address exclude each other") }
  }

  /// Connects, carries out a command, and exits with what comes of it.
  func perform(_ body: (ControlTool) async throws -> ToolExit) async throws {
    let bus: BusAddress = address.map(BusAddress.address) ?? (system ? .system : .session)
    try await output.perform { output in
      try await ControlTool.run(on: bus, output: output, readFile: StandardStreams.read, body)
    }
  }
}
