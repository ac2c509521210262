import Platform

/// What a terminal takes besides what terminfo knows, judged by the environment.
///
/// What is not known to be taken is not sent: a terminal that does not know a sequence may show it.
struct TerminalAbilities: Sendable, Hashable {
  /// How the terminal tells that something is done.
  enum Notification: Sendable, Hashable {
    /// It rings only.
    case bell
    /// OSC 9.
    case message
    /// OSC 777, with a title.
    case titledMessage
  }

  /// Which characters signs are drawn with.
  var font: Symbols.Font
  /// Whether the window has a title (OSC 2), which can be saved and restored (XTWINOPS).
  var hasTitle = false
  /// Whether it tells when it gains and loses the focus (DEC mode 1004).
  var hasFocus = false
  /// Whether it can be told when a repaint begins and ends (DEC mode 2026). Others ignore it.
  var isSynchronized = false
  /// Whether texts can be links (OSC 8). Others ignore it.
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

  /// Judges a terminal.
  ///
  /// - Parameters:
  ///   - environment: environment of the process.
  ///   - isUnicode: whether the locale is one of UTF-8.
  init(environment: [String: String], isUnicode: Bool) {
    let name = environment["TERM"] ?? ""
    let isConsole = Self.consoles.contains { name == $0 || name.bytes.hasPrefix($0 + "-") }
    font = !isUnicode ? .ascii : isConsole ? .console : .unicode
    let isInTmux = name.bytes.hasPrefix("tmux") || (name.bytes.hasPrefix("screen") && environment["TMUX"]?.isEmpty == false)
    let base = Substring(name.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ".") })
    guard isInTmux || Self.modern.contains(where: { base == $0 }) else { return }
    (hasTitle, hasFocus, isSynchronized, hasLinks) = (true, true, true, true)
    hasTrueColour = ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
    // tmux shows neither, and tells nobody.
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
