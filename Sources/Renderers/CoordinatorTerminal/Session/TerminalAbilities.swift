import Platform

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
