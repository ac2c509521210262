import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Glibc
import Platform
import RendererKit

/// `coordinatorctl open`: starts the flow that a link names, after a user has confirmed it.
public struct StartLink: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Checks a link. Starts nothing.
  ///
  /// - Parameter text: link to open.
  /// - Returns: the offer of the link.
  /// - Throws: ``ToolFailure`` if the text is not a link, or if the flow does not accept the input.
  public func offer(_ text: String) async throws(ToolFailure) -> LinkOffer { try await session.offer(ofLink: text) }

  /// Starts the flow that a link offers.
  ///
  /// - Parameters:
  ///   - offer: offer of the link.
  ///   - confirm: closure that shows the offer and asks for confirmation; nil if no user can be asked.
  /// - Returns: the path of the root coordinator.
  /// - Throws: ``ToolFailure`` if the user declines, or if no user can be asked. Nothing is started then.
  public func run(_ offer: LinkOffer, confirm: ((String) -> Bool)?) async throws(ToolFailure) -> ObjectPath {
    guard let confirm else {
      throw ToolFailure(
        [
          "a link is started only when a person says so, and there is no terminal to ask at, so nothing was started",
          "  add --yes if you trust the link, or show it with --in browser, where the page asks",
        ], exit: .error, name: "NotConfirmed")
    }
    guard confirm(offer.lines.joined(separator: "\n") + "\nStart it? [y/N] ") else {
      throw ToolFailure(["nothing was started"], exit: .error, name: "NotConfirmed")
    }
    return try await session.doing { () async throws(ClientError) in
      try await session.namedDaemon.manager.startFlow(offer.flow.name, input: offer.input, options: Options()).coordinator
    }
  }

  /// Prints the name of the flow tree that was started.
  public func say(_ tree: ObjectPath) {
    session.output.say([TreeSelector.name(tree)], json: ["coordinator": .string(tree.string)])
  }
}

/// The renderers that can show a flow started by a link. This process replaces itself with the renderer's program.
public enum RendererProgram: String, Sendable, Hashable, CaseIterable {
  /// `coordinator-tui` in this terminal.
  case terminal
  /// `coordinator-web` and a browser.
  case browser

  /// Returns the renderer that suits the standard streams of this process and, without a terminal, its desktop.
  ///
  /// - Parameter environment: environment of the process.
  /// - Returns: the terminal, or the browser.
  /// - Throws: ``ToolFailure`` if the user could see neither: on a server without a browser, the renderer would wait forever.
  public static func fitting(_ environment: [String: String]) throws(ToolFailure) -> RendererProgram {
    try fitting(isTerminal: isTerminal, environment)
  }

  /// Whether standard input and output of this process are a terminal.
  static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  static func fitting(isTerminal: Bool, _ environment: [String: String]) throws(ToolFailure) -> RendererProgram {
    if isTerminal { return .terminal }
    let desktops = [environment["DISPLAY"], environment["WAYLAND_DISPLAY"], environment["BROWSER"]]
    guard desktops.contains(where: { $0?.isEmpty == false }) else {
      throw ToolFailure(
        [
          "there is neither a terminal nor a desktop to show the flow in, so nothing was started",
          "  start it with --no-wait, or say where to show it: --in terminal, --in browser",
        ], name: "NoDisplay")
    }
    return .browser
  }

  /// The name of the program.
  public var name: String {
    switch self {
    case .terminal: "coordinator-tui"
    case .browser: "coordinator-web"
    }
  }

  /// Returns the command line of the renderer.
  ///
  /// - Parameters:
  ///   - tree: path of the root coordinator to show.
  ///   - bus: bus that the daemon is on.
  /// - Returns: the name of the program, followed by its arguments.
  public func command(showing tree: ObjectPath, on bus: BusAddress) -> [String] {
    return [name] + (self == .browser ? ["--open"] : []) + place(on: bus) + [tree.string]
  }

  /// Returns the command line of the browser's renderer that shows the offer of a link.
  ///
  /// - Parameters:
  ///   - link: link that was opened.
  ///   - bus: bus that the daemon is on.
  /// - Returns: the name of the program, followed by its arguments.
  static func command(offering link: String, on bus: BusAddress) -> [String] {
    // A single word with its option, so that a link is never interpreted as an option.
    [browser.name, "--open", "--link=\(link)"] + browser.place(on: bus)
  }

  private func place(on bus: BusAddress) -> [String] {
    switch bus {
    case .session: []
    case .system: ["--system"]
    case .address(let address): ["--address", address]
    }
  }

  /// Replaces this process with the renderer: the program in the directory of this one, otherwise the first on `PATH`.
  ///
  /// - Parameters:
  ///   - tree: path of the root coordinator to show.
  ///   - bus: bus that the daemon is on.
  /// - Throws: ``ToolFailure`` if the program cannot be executed.
  public func takeOver(showing tree: ObjectPath, on bus: BusAddress) throws(ToolFailure) -> Never {
    let reason = replaceProcess(command(showing: tree, on: bus))
    throw ToolFailure([
      "\(name) could not be started: \(reason)", "  the flow is running; show it with: \(name) \(TreeSelector.name(tree))",
    ])
  }

  /// Replaces this process with the renderer for browsers, which shows the offer of a link, and asks for confirmation.
  ///
  /// - Parameters:
  ///   - link: link that was opened.
  ///   - bus: bus that the daemon is on.
  /// - Throws: ``ToolFailure`` if the program cannot be executed. Nothing is started then.
  public static func takeOver(offering link: String, on bus: BusAddress) throws(ToolFailure) -> Never {
    let reason = browser.replaceProcess(command(offering: link, on: bus))
    throw ToolFailure(["\(browser.name) could not be started: \(reason)", "  nothing was started"])
  }

  /// Replaces this process; returns the reason if that fails.
  private func replaceProcess(_ command: [String]) -> String {
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    // The threads of Swift's tasks block signals, and `exec` preserves the signal mask of the calling thread.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    if let directory = OwnProgram.directory { execv("\(directory)/\(name)", &arguments) }
    execvp(name, &arguments)
    return String(cString: strerror(errno))
  }

  /// The path of the program: in the directory of this one, otherwise the first on `PATH`; nil if there is none.
  var path: String? {
    let directories =
      [OwnProgram.directory].compactMap(\.self)
      + (Environment.value(of: "PATH") ?? "").bytes.split(separator: ":").map(String.init)
    return directories.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
