import CoordinatorClient
import Glibc
import LinearTerminal
import Platform
import RendererKit
import Themes

/// Shows a flow in full-screen mode, or line by line where ncurses cannot use the terminal.
public struct FullScreenMode: Sendable {
  private let session: ToolSession
  private let theme: Theme
  private let bus: [String]
  private let policy: KioskPolicy

  /// Creates the mode.
  ///
  /// - Parameters:
  ///   - session: connection to the daemon and the output.
  ///   - theme: name and colors of the provider of the flows.
  ///   - bus: options that select the daemon's bus, for child processes.
  ///   - policy: policy for a terminal in a public place.
  public init(_ session: ToolSession, theme: Theme, bus: [String], policy: KioskPolicy = .none) {
    self.session = session
    self.theme = theme
    self.bus = bus
    self.policy = policy
  }

  /// Attaches to a flow tree or starts a flow, and shows it.
  ///
  /// - Parameters:
  ///   - text: flow tree or flow; nil for the only active tree.
  ///   - assignments: input of a flow that is started.
  ///   - token: token of a flow that is started.
  /// - Returns: the exit code.
  /// - Throws: `ToolFailure`.
  public func run(_ text: String?, _ assignments: [Assignment], token: String?) async throws(ToolFailure) -> ToolExit {
    let tree = try await session.open(text, assignments, token: token)
    let abilities = abilities
    guard let terminal = await CursesTerminal.open(isColoured: session.output.style.isColoured, abilities) else {
      return try await LinearMode(session, reader: LineReader(descriptor: 0), .terminal).run(in: tree)
    }
    let screen = FullScreenSession(
      daemon: session.daemon, tree: tree, terminal: terminal, manner: DisplayManner(theme, font: abilities.font),
      phone: PhoneDriver(tree: TreeSelector.name(tree), bus: bus), policy: policy)
    return try await show(on: terminal) { () async throws(ClientError) in
      let ending = try await screen.run()
      return (ending.exit, ending.lines)
    }
  }

  /// Shows the running flows and the startable ones, and the flows that the user opens.
  ///
  /// - Returns: the exit code.
  /// - Throws: `ToolFailure`.
  public func runHome() async throws(ToolFailure) -> ToolExit {
    let abilities = abilities
    guard let terminal = await CursesTerminal.open(isColoured: session.output.style.isColoured, abilities) else {
      return try await LinearMode(session, reader: LineReader(descriptor: 0), .terminal).run(nil, [], token: nil)
    }
    let door = FrontDoorSession(
      session: session, terminal: terminal, manner: DisplayManner(theme, font: abilities.font), bus: bus)
    return try await show(on: terminal) { () async throws(ClientError) in try await door.run() }
  }

  private var abilities: TerminalAbilities {
    let names = ["TERM", "TMUX", "TERM_PROGRAM", "VTE_VERSION", "WT_SESSION", "ConEmuANSI", "KITTY_WINDOW_ID"]
    let environment = Dictionary(
      names.compactMap { name in Environment.value(of: name).map { (name, $0) } }, uniquingKeysWith: { first, _ in first })
    return TerminalAbilities(environment: environment, isUnicode: session.output.style.isUnicode)
  }

  /// Runs a closure that uses the terminal, restores the terminal, and writes the closure's lines.
  private func show(
    on terminal: CursesTerminal, _ body: () async throws(ClientError) -> (exit: ToolExit, lines: [String])
  ) async throws(ToolFailure) -> ToolExit {
    let end: (exit: ToolExit, lines: [String])
    do {
      end = try await session.doing { () async throws(ClientError) in try await body() }
    } catch {
      await terminal.close()
      throw error
    }
    await terminal.close()
    session.output.write(end.lines.map { $0 + "\n" }.joined())
    return end.exit
  }
}

/// The way in which everything on a terminal is drawn: the signs, the color, and the name of the product.
struct DisplayManner: Sendable, Hashable {
  let font: Symbols.Font
  /// The color of highlighted elements if a screen has none.
  let accent: Look.Colour
  /// The name of the product; nil if the theme has none.
  let product: String?

  init(_ theme: Theme, font: Symbols.Font) {
    self.font = font
    product = theme.name
    accent = theme.light.accent == Theme.standard.light.accent ? .magenta : .tone(theme.light.accent.tone)
  }
}

/// Starts the server for the phone on request, and ends it with the session.
actor PhoneDriver {
  private let begin: @Sendable () -> PhoneServer
  private var server: PhoneServer?
  private var isOver = false

  /// Creates a driver that starts coordinator-web on request.
  ///
  /// - Parameters:
  ///   - tree: name of the flow tree.
  ///   - bus: options of coordinator-web that select the daemon's bus.
  init(tree: String, bus: [String]) { self.init { PhoneServer(for: tree, bus: bus) } }

  /// Creates a driver that starts a server by a closure.
  ///
  /// - Parameter begin: closure that starts a server.
  init(begin: @escaping @Sendable () -> PhoneServer) { self.begin = begin }

  /// Starts a server, unless one is running.
  ///
  /// - Parameter report: closure that receives the server's news.
  func start(_ report: @escaping @Sendable (Phone.News) -> Void) {
    guard server == nil, !isOver else { return }
    let server = begin()
    self.server = server
    Task {
      for await news in server.news {
        // Before the end is reported, because the receiver may start the next server.
        if case .ended = news { ended() }
        report(news)
      }
    }
  }

  /// Ends the server and prevents further starts.
  func stop() {
    isOver = true
    server?.stop()
    server = nil
  }

  private func ended() {
    server?.stop()
    server = nil
  }
}

/// The abilities of a terminal beyond terminfo, determined from the environment.
///
/// Sequences that may be unsupported are not sent, because a terminal that does not know a sequence may display it.
struct TerminalAbilities: Sendable, Hashable {
  /// The way in which the terminal notifies its user.
  enum Notification: Sendable, Hashable {
    /// The bell only.
    case bell
    /// OSC 9.
    case message
    /// OSC 777, with a title.
    case titledMessage
  }

  /// The characters for drawing symbols.
  var font: Symbols.Font
  /// Whether the window has a title (OSC 2), which can be saved and restored (XTWINOPS).
  var hasTitle = false
  /// Whether it reports when it gains and loses the focus (DEC mode 1004).
  var hasFocus = false
  /// Whether it supports marks for the beginning and end of a repaint (DEC mode 2026). Other terminals ignore them.
  var isSynchronized = false
  /// Whether it supports links (OSC 8). Other terminals ignore them.
  var hasLinks = false
  /// Whether it shows progress outside of its window (OSC 9;4).
  var hasProgress = false
  /// Whether it shows colors of 24 bits.
  var hasTrueColour = false
  var notification = Notification.bell

  /// The terminals that ignore control sequences and operating system commands that they do not know.
  private static let modern = [
    "alacritty", "contour", "foot", "ghostty", "gnome", "iterm", "kitty", "konsole", "mintty", "rio", "rxvt", "st", "tmux",
    "vte", "wezterm", "xterm",
  ]
  private static let consoles = ["linux", "cons25", "fbterm"]

  /// Determines the abilities of a terminal.
  ///
  /// - Parameters:
  ///   - environment: environment of the process.
  ///   - isUnicode: whether the locale is a UTF-8 locale.
  init(environment: [String: String], isUnicode: Bool) {
    let name = environment["TERM"] ?? ""
    let isConsole = Self.consoles.contains { name == $0 || name.bytes.hasPrefix($0 + "-") }
    font = !isUnicode ? .ascii : isConsole ? .console : .unicode
    let isInTmux = name.bytes.hasPrefix("tmux") || (name.bytes.hasPrefix("screen") && environment["TMUX"]?.isEmpty == false)
    let base = Substring(name.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ".") })
    guard isInTmux || Self.modern.contains(where: { base == $0 }) else { return }
    (hasTitle, hasFocus, isSynchronized, hasLinks) = (true, true, true, true)
    hasTrueColour = ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
    // tmux displays neither, and does not pass them on.
    guard !isInTmux else { return }
    let program = environment["TERM_PROGRAM"] ?? ""
    func has(_ key: String) -> Bool { environment[key]?.isEmpty == false }
    let hasNewVTE = (environment["VTE_VERSION"].flatMap { Int($0) } ?? 0) >= 7900
    hasProgress =
      ["ghostty", "WezTerm", "iTerm.app"].contains(program) || has("WT_SESSION") || has("ConEmuANSI") || has("KITTY_WINDOW_ID")
      || hasNewVTE
    if ["ghostty", "WezTerm", "iTerm.app"].contains(program) || has("KITTY_WINDOW_ID") {
      notification = .message
    } else if ["foot", "rxvt", "contour"].contains(String(base)) {
      notification = .titledMessage
    }
  }
}

/// The mode in which a terminal shows a flow.
public enum TerminalMode: Sendable, Hashable {
  /// Screens that fill the terminal.
  case fullScreen
  /// Line by line, from top to bottom.
  case linear

  /// Selects the mode.
  ///
  /// - Parameters:
  ///   - environment: environment of the process. `ACCESSIBLE` requests the linear mode, which is suitable for screen
  ///     readers, unless it is empty, `0`, `false` or `no`. A missing or `dumb` `TERM` requires it.
  ///   - isTerminal: whether both input and output are terminals.
  ///   - wantsLinear: whether the linear mode is requested on the command line.
  public init(environment: [String: String], isTerminal: Bool, wantsLinear: Bool) {
    let wish = (environment["ACCESSIBLE"] ?? "").bytes.lowercased
    let isWished = !["", "0", "false", "no"].contains(wish)
    let isAble = isTerminal && TextStyle.understandsEscapes(environment)
    self = wantsLinear || isWished || !isAble ? .linear : .fullScreen
  }

  /// Selects the mode for the standard streams of this process.
  ///
  /// - Parameters:
  ///   - environment: environment of the process.
  ///   - wantsLinear: whether the linear mode is requested on the command line.
  public init(environment: [String: String], wantsLinear: Bool) {
    let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    self.init(environment: environment, isTerminal: isTerminal, wantsLinear: wantsLinear)
  }
}
