/// The symbols that screens are drawn with.
struct Symbols: Sendable, Hashable {
  let pointer: String
  let bar: String
  let radio: (on: String, off: String)
  let check: (on: String, off: String)
  let dot: String
  let error: String
  let warning: String
  let info: String
  let ellipsis: String
  let crumb: String
  let separator: String
  let full: String
  let empty: String
  let more: (above: String, below: String)
  let spinner: [String]
  let box: Box
  let keys: Keys
  /// The symbol for an empty answer.
  let nothing: String

  /// The borders of a box.
  struct Box: Sendable, Hashable {
    let horizontal: String
    let vertical: String
    let topLeft: String
    let topRight: String
    let bottomLeft: String
    let bottomRight: String
  }

  /// The names of keys.
  struct Keys: Sendable, Hashable {
    let upDown: String
    let leftRight: String
    let shift: String
  }

  /// The characters that the terminal can draw.
  enum Font: Sendable, Hashable {
    /// Only ASCII.
    case ascii
    /// The characters of code page 437 that the usual fonts of the Linux console contain, including Debian's.
    case console
    /// All characters.
    case unicode
  }

  let font: Font

  /// Whether half blocks can be drawn.
  var hasBlocks: Bool { font == .unicode }

  /// The symbol for the empty part of a field. The Linux console shows no underlined blanks.
  var blank: String { font == .console ? "_" : " " }

  /// Returns a cell whose halves are filled or empty.
  func block(upper: Bool, lower: Bool) -> String {
    switch (upper, lower) {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): " "
    }
  }

  static func == (left: Symbols, right: Symbols) -> Bool { left.font == right.font }
  func hash(into hasher: inout Hasher) { hasher.combine(font) }

  init(isUnicode: Bool) { self.init(isUnicode ? .unicode : .ascii) }

  init(_ font: Font) {
    self.font = font
    func pick(_ unicode: String, _ console: String, _ ascii: String) -> String {
      switch font {
      case .unicode: unicode
      case .console: console
      case .ascii: ascii
      }
    }
    pointer = pick("❯", "»", ">")
    bar = pick("┃", "│", "|")
    radio = (pick("●", "(•)", "(*)"), pick("○", "( )", "( )"))
    check = ("[x]", "[ ]")
    dot = pick("•", "•", "*")
    error = pick("✗", "x", "x")
    warning = "!"
    info = pick("•", "•", "*")
    ellipsis = pick("…", "~", "~")
    crumb = pick(" › ", " » ", " > ")
    separator = pick(" · ", " · ", "  ")
    full = pick("█", "█", "#")
    empty = pick("░", "░", ".")
    more = (pick("▲", "▲", "^"), pick("▼", "▼", "v"))
    spinner = font == .unicode ? ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] : ["|", "/", "-", "\\"]
    box = Box(
      horizontal: pick("─", "─", "-"), vertical: pick("│", "│", "|"), topLeft: pick("╭", "┌", "+"),
      topRight: pick("╮", "┐", "+"), bottomLeft: pick("╰", "└", "+"), bottomRight: pick("╯", "┘", "+"))
    keys = Keys(
      upDown: pick("↑↓", "↑↓", "Up/Down"), leftRight: pick("←→", "←→", "Left/Right"), shift: pick("⇧", "Shift-", "Shift-"))
    nothing = pick("–", "-", "-")
  }
}
