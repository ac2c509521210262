import ArgumentParser
import CoordinatorClient
import CoordinatorTools
import DBus
import Foundation

/// What every command takes.
struct GlobalOptions: ParsableArguments {
  @Option(help: "Use the bus at this D-Bus address.")
  var address: String?

  @Flag(help: "Use the system bus.")
  var system = false

  @Flag(help: "Write JSON: one object, or one a line where there are several over time.")
  var json = false

  func validate() throws {
    if system && address != nil { throw ValidationError("--system and --address exclude each other") }
  }

  /// Connects, carries out a command, and exits with what comes of it.
  func perform(_ body: (ControlTool) async throws -> ToolExit) async throws {
    let environment = ProcessInfo.processInfo.environment
    let output = ToolOutput(
      isJSON: json, style: TextStyle(environment: environment, isTerminal: isatty(STDOUT_FILENO) == 1),
      write: StandardStreams.write)
    let bus: BusAddress = address.map(BusAddress.address) ?? (system ? .system : .session)
    do {
      let exit = try await ControlTool.run(on: bus, output: output, readFile: StandardStreams.read, body)
      throw ExitCode(exit.rawValue)
    } catch let failure as ToolFailure {
      var complaint = output
      complaint.style = TextStyle(environment: environment, isTerminal: isatty(STDERR_FILENO) == 1)
      StandardStreams.complain(failure.text(tool: "coordinatorctl", output: complaint))
      throw ExitCode(failure.exit.rawValue)
    }
  }
}
