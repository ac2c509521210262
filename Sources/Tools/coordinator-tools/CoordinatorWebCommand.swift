import ArgumentParser
import CoordinatorBus
import CoordinatorWeb
import Glibc
import Hardening
import Platform
import RendererKit
import Themes
import ToolOptions
import UnixSignals

/// The `coordinator-web` tool: parses arguments and runs ``WebTool``.
struct CoordinatorWebCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coordinator-web",
    abstract: "Shows flows in browsers, and lets their users answer them.",
    discussion: """
      Starts FLOW, or attaches to a running flow tree, given by its name (pets_1), an unambiguous prefix of its name, or its \
      path. Browsers then see only that tree. Without it, they see a list of all flows, and can start some of them.

      Serves on 127.0.0.1, or on a socket that only its owner can connect to, until SIGTERM or Ctrl-C; the flows continue. \
      Prints an address that admits one browser; once it has been used, prints the next one. If systemd started the program \
      with a socket, it serves on that socket.

      With --lan, phones and other machines on the network reach the server as well. Pages are then encrypted, addresses \
      expire after ten minutes, and a terminal shows them as QR codes. The server generates a certificate of its own, whose \
      fingerprint it prints, unless --certificate and --key name files; SIGHUP reads those again.

      \(ToolExit.help([.success, .error, .noDaemon, .usage, .interrupted]))
      """,
    version: Release.version)

  /// Creates the command, for the command-line parser to fill in.
  init() {}

  @Argument(help: "A flow to start, or a flow tree to attach to.")
  var flowOrTree: String?

  @Argument(help: ArgumentHelp("The input of a flow that is started.", valueName: "key=value"))
  var input: [String] = []

  @Option(help: "Names the flow tree that is started; the same token attaches to it again. With --kiosk, names the kiosk.")
  var token: String?

  @Option(help: "Show what a coordinator: link would start, and start it when its page says so.")
  var link: String?

  @Option(help: "Serve on this port; 0 selects any free port.")
  var port: UInt16?

  @OptionGroup var network: NetworkOptions

  @Option(
    help: ArgumentHelp("Serve on a socket in the file system, for a web server in front.", valueName: "path"),
    completion: .file())
  var socket: String?

  @Option(
    help: ArgumentHelp(
      "The address that browsers use, if there is a web server in front: https://kiosk.example", valueName: "address"))
  var origin: Origin?

  @Flag(help: "Open the first page in your browser.")
  var open = false

  @Flag(help: "Print each address as a line of JSON, with the text for a QR code and the certificate's fingerprint.")
  var json = false

  @Flag(help: "End when the standard input ends.")
  var endWithInput = false

  @OptionGroup var look: ThemeOptions

  @OptionGroup var kiosk: KioskOptions

  @OptionGroup var bus: BusOptions

  func validate() throws {
    if link != nil, flowOrTree != nil || token != nil || kiosk.policy != .none {
      throw ValidationError("--link names the flow, so it goes with neither a flow and its input, nor --token, nor --kiosk")
    }
    if link != nil, network.isUsed {
      throw ValidationError("--link asks the person at this machine, so it goes with neither --lan nor --certificate")
    }
    if socket != nil && network.isUsed { throw ValidationError("--socket cannot be combined with --lan or --certificate") }
    if port != nil && socket != nil { throw ValidationError("--port and --socket are mutually exclusive") }
    if open && socket != nil { throw ValidationError("--open and --socket are mutually exclusive") }
  }

  func run() async throws {
    // This process handles passwords.
    ProcessHardening.forbidDumps()
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let style = TextStyle(environment: Environment.variables, isTerminal: isTerminal)
    let output = ToolOutput(isJSON: false, style: style, write: StandardStreams.write)
    var options = WebTool.Options(
      place: socket.map(Listener.Place.socket) ?? network.place(port: port ?? 0), passed: try passedSocket(), origin: origin,
      isOpening: open, certificate: network.serverCertificate(for: Environment.variables), isJSON: json,
      terminal: isTerminal ? style : nil)
    options.policy = kiosk.policy
    options.isAsking = isTerminal && !json && !endWithInput && isatty(STDIN_FILENO) == 1
    do {
      do throws(ThemeOptions.Fault) {
        options.look = WebLook(
          try look.theme(environment: Environment.variables, complain: StandardStreams.complain))
      } catch {
        throw ToolFailure(error.lines, exit: .usage)
      }
      let exit = try await ToolSession.run(on: bus.chosen, output: output, readFile: StandardStreams.read) { session in
        let assignments = try Assignment.all(input)
        let web = WebTool(session: session, options: options, write: StandardStreams.write)
        return try await serving(options.certificate) { [flowOrTree, token, link] in
          try await web.serve(flowOrTree, assignments, token: token, link: link)
        }
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
      throw ValidationError(
        "a socket from the service manager must be the only one, and cannot be combined with --port or --socket")
    }
    return sockets.first
  }

  /// Serves until SIGTERM or SIGINT arrives, or until the input ends if that option is set. SIGHUP reads the certificate again
  /// if it comes from files.
  private func serving(
    _ certificate: ServerCertificate?, _ body: @escaping @Sendable () async throws -> Void
  ) async throws -> ToolExit {
    let hasFiles = network.certificate != nil
    let signals = await UnixSignalsSequence(trapping: hasFiles ? [.sigterm, .sigint, .sighup] : [.sigterm, .sigint])
    return try await withThrowingTaskGroup(of: ToolExit.self) { group in
      group.addTask {
        try await body()
        return .success
      }
      group.addTask {
        for await signal in signals {
          guard signal == .sighup else { return signal == .sigint ? .interrupted : .success }
          Self.reload(certificate)
        }
        return .success
      }
      if endWithInput {
        group.addTask {
          await InputEnd.wait()
          return .success
        }
      }
      let first = try await group.next() ?? .success
      group.cancelAll()
      try await group.waitForAll()
      return first
    }
  }

  /// Reads the certificate again. If that fails, the server keeps the previous one.
  private static func reload(_ certificate: ServerCertificate?) {
    do throws(ToolFailure) {
      try certificate?.reload()
    } catch {
      let output = ToolOutput(isJSON: false, style: TextStyle(), write: StandardStreams.write)
      StandardStreams.complain(error.text(tool: "coordinator-web", output: output))
    }
  }
}

extension Origin: ExpressibleByArgument {
  /// Parses an origin from the command line.
  public init?(argument: String) { self.init(argument) }
}

extension IPAddress: ExpressibleByArgument {
  /// Parses an address from the command line.
  public init?(argument: String) { self.init(argument) }
}

/// The end of the standard input, which ends a server that another program has started for its own lifetime.
enum InputEnd {
  /// Waits for the end, or until the task is cancelled. Input is discarded.
  static func wait() async {
    let reader = LineReader(descriptor: 0)
    reader.request()
    for await line in reader.lines {
      guard case .text = line else { return }
      reader.request()
    }
  }
}

/// The options that put the server on the network, and encrypt its pages.
struct NetworkOptions: ParsableArguments {
  @Flag(help: "Serve on the network, encrypted, for phones and other machines.")
  var lan = false

  @Option(help: ArgumentHelp("With --lan, serve on this address of this machine only.", valueName: "address"))
  var lanAddress: IPAddress?

  @Option(
    help: ArgumentHelp("A certificate for TLS in PEM format, instead of a generated one; requires --key.", valueName: "file"),
    completion: .file())
  var certificate: String?

  @Option(help: ArgumentHelp("The key of the certificate, in PEM format.", valueName: "file"), completion: .file())
  var key: String?

  /// Whether any option is given.
  var isUsed: Bool { lan || certificate != nil }

  func validate() throws {
    if (certificate == nil) != (key == nil) { throw ValidationError("--certificate and --key require each other") }
    if lanAddress != nil && !lan { throw ValidationError("--lan-address requires --lan") }
  }

  /// Returns the address to listen on.
  func place(port: UInt16) -> Listener.Place {
    lan ? .network(address: lanAddress, port: port) : .loopback(port: port)
  }

  /// Creates the certificate to serve with.
  ///
  /// - Parameter environment: environment of the process, which determines the location of a generated certificate.
  /// - Returns: the certificate; nil for plain HTTP.
  func serverCertificate(for environment: [String: String]) -> ServerCertificate? {
    if let certificate, let key { return ServerCertificate(.files(certificate: certificate, key: key)) }
    return lan ? ServerCertificate(.own(directory: Self.stateDirectory(environment) + "/web")) : nil
  }

  /// Returns the directory of coordinatord's state: `$STATE_DIRECTORY` if systemd sets it, else below `$XDG_STATE_HOME`, else
  /// below `~/.local/state`.
  private static func stateDirectory(_ environment: [String: String]) -> String {
    func absolute(_ name: String) -> String? { environment[name].flatMap { $0.bytes.hasPrefix("/") ? $0 : nil } }
    if let own = absolute("STATE_DIRECTORY") { return String(own.bytes.cut(at: ":")?.before ?? own[...]) }
    return (absolute("XDG_STATE_HOME") ?? (absolute("HOME") ?? "") + "/.local/state") + "/coordinatord"
  }
}
