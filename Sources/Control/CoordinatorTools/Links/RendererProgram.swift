import CoordinatorBus
import DBus
import Glibc

/// The renderers that show what a link has started: programs of their own, which this process becomes.
public enum RendererProgram: String, Sendable, Hashable, CaseIterable {
  /// `coordinator-tui`, in this terminal.
  case terminal
  /// `coordinator-web`, and a browser.
  case browser

  /// What suits the standard streams of this process.
  public static var fitting: RendererProgram {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 ? .terminal : .browser
  }

  /// The name of the program.
  public var name: String {
    switch self {
    case .terminal: "coordinator-tui"
    case .browser: "coordinator-web"
    }
  }

  /// The command line.
  ///
  /// - Parameters:
  ///   - tree: The path of the root coordinator to show.
  ///   - bus: The bus that the daemon is on.
  /// - Returns: The name of the program, and its arguments.
  public func command(showing tree: ObjectPath, on bus: BusAddress) -> [String] {
    let place: [String] =
      switch bus {
      case .session: []
      case .system: ["--system"]
      case .address(let address): ["--address", address]
      }
    return [name] + (self == .browser ? ["--open"] : []) + place + [tree.string]
  }

  /// Becomes the renderer: the program of that name beside this one, else the one on `PATH`.
  ///
  /// - Parameters:
  ///   - tree: The path of the root coordinator to show.
  ///   - bus: The bus that the daemon is on.
  /// - Throws: `ToolFailure` if there is no such program.
  public func takeOver(showing tree: ObjectPath, on bus: BusAddress) throws(ToolFailure) -> Never {
    var arguments: [UnsafeMutablePointer<CChar>?] = command(showing: tree, on: bus).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    // The threads that Swift's tasks run on have signals blocked, and a program begins with what the thread had that started it.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    if let directory = Self.ownDirectory { execv("\(directory)/\(name)", &arguments) }
    execvp(name, &arguments)
    let reason = String(cString: strerror(errno))
    throw ToolFailure([
      "\(name) could not be started: \(reason)", "  the flow runs; show it with: \(name) \(TreeSelector.name(tree))",
    ])
  }

  private static var ownDirectory: String? {
    guard let resolved = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(resolved) }
    let path = String(cString: resolved)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }
}
