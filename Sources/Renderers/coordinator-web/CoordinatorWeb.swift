import ArgumentParser
import CoordinatorBus
import CoordinatorWeb
import Foundation
import Hardening
import Platform
import RendererKit
import ToolOptions
import UnixSignals

/// The `coordinator-web` tool: parses arguments and runs ``WebTool``.
@main
struct CoordinatorWebCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coordinator-web",
    abstract: "Shows flows in browsers, and lets their users answer.",
    discussion: """
      Starts FLOW, or attaches to a flow tree that is running: its name (pets_1), the beginning of one, or its path. Browsers then see that \
      tree alone. Without it they see a list of all flows, and may start some.

      Serves on 127.0.0.1, or on a socket that only its owner can connect to, until SIGTERM or Ctrl-C. The flows go on. Prints an address \
      that lets one browser in; when it was used, the next one. Started by a socket of systemd's, it serves on that one.

      \(ToolExit.help([.success, .error, .noDaemon, .usage, .interrupted]))
      """,
    version: Release.version)

  @Argument(help: "A flow to start, or a flow tree to attach to.")
  var flowOrTree: String?

  @Argument(help: ArgumentHelp("The input of a flow that is started.", valueName: "key=value"))
  var input: [String] = []

  @Option(help: "Names the flow tree that is started; the same token comes back to it.")
  var token: String?

  @Option(help: "Serve on this port of 127.0.0.1; 0 is any that is free.")
  var port: UInt16?

  @Option(
    help: ArgumentHelp("Serve on a socket in the file system, for a web server in front.", valueName: "path"),
    completion: .file())
  var socket: String?

  @Option(
    help: ArgumentHelp(
      "The address that browsers use, if something stands in front: https://kiosk.example", valueName: "address"))
  var origin: Origin?

  @Flag(help: "Open the first page in your browser.")
  var open = false

  @OptionGroup var bus: BusOptions

  func validate() throws {
    if port != nil && socket != nil { throw ValidationError("--port and --socket exclude each other") }
    if open && socket != nil { throw ValidationError("--open and --socket exclude each other") }
  }

  func run() async throws {
    // This process handles passwords.
    ProcessHardening.forbidDumps()
    let style = TextStyle(environment: ProcessInfo.processInfo.environment, isTerminal: isatty(STDOUT_FILENO) == 1)
    let output = ToolOutput(isJSON: false, style: style, write: StandardStreams.write)
    let options = WebTool.Options(
      place: socket.map(Listener.Place.socket) ?? .loopback(port: port ?? 0), passed: try passedSocket(), origin: origin,
      isOpening: open)
    do {
      let exit = try await ToolSession.run(on: bus.chosen, output: output, readFile: StandardStreams.read) { session in
        let assignments = try Assignment.all(input)
        let web = WebTool(session: session, options: options, write: StandardStreams.write)
        return try await serving { [flowOrTree, token] in try await web.serve(flowOrTree, assignments, token: token) }
      }
      throw ExitCode(exit.rawValue)
    } catch let failure as ToolFailure {
      StandardStreams.complain(failure.text(tool: "coordinator-web", output: output))
      throw ExitCode(failure.exit.rawValue)
    }
  }

  private func passedSocket() throws -> PassedSocket? {
    let sockets = PassedSocket.all()
    if sockets.isEmpty { return nil }
    guard sockets.count == 1, port == nil, socket == nil else {
      throw ValidationError("a socket of the service manager excludes others of its, --port and --socket")
    }
    return sockets.first
  }

  /// Serves until SIGTERM or SIGINT arrives.
  private func serving(_ body: @escaping @Sendable () async throws -> Void) async throws -> ToolExit {
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    return try await withThrowingTaskGroup(of: ToolExit.self) { group in
      group.addTask {
        try await body()
        return .success
      }
      group.addTask {
        for await signal in signals { return signal == .sigint ? .interrupted : .success }
        return .success
      }
      let first = try await group.next() ?? .success
      group.cancelAll()
      try await group.waitForAll()
      return first
    }
  }
}

extension Origin: ExpressibleByArgument {
  /// Parses an origin from the command line.
  public init?(argument: String) { self.init(argument) }
}
