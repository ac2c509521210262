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
  let normalButton: (String, String)
  /// What stands for an empty answer.
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

  private let isUnicode: Bool

  /// Whether half blocks can be drawn.
  var hasBlocks: Bool { isUnicode }

  /// Returns a cell whose halves are filled or not.
  func block(upper: Bool, lower: Bool) -> String {
    switch (upper, lower) {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): " "
    }
  }

  static func == (left: Symbols, right: Symbols) -> Bool { left.isUnicode == right.isUnicode }
  func hash(into hasher: inout Hasher) { hasher.combine(isUnicode) }

  init(isUnicode: Bool) {
    self.isUnicode = isUnicode
    func pick(_ unicode: String, _ ascii: String) -> String { isUnicode ? unicode : ascii }
    pointer = pick("❯", ">")
    bar = pick("┃", "|")
    radio = (pick("●", "(*)"), pick("○", "( )"))
    check = ("[x]", "[ ]")
    dot = pick("•", "*")
    error = pick("✗", "x")
    warning = "!"
    info = pick("•", "*")
    ellipsis = pick("…", "~")
    crumb = pick(" › ", " > ")
    separator = pick(" · ", "  ")
    full = pick("█", "#")
    empty = pick("░", ".")
    more = (pick("▲", "^"), pick("▼", "v"))
    spinner = isUnicode ? ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] : ["|", "/", "-", "\\"]
    box = Box(
      horizontal: pick("─", "-"), vertical: pick("│", "|"), topLeft: pick("╭", "+"), topRight: pick("╮", "+"),
      bottomLeft: pick("╰", "+"), bottomRight: pick("╯", "+"))
    keys = Keys(upDown: pick("↑↓", "Up/Down"), leftRight: pick("←→", "Left/Right"), shift: pick("⇧", "Shift-"))
    nothing = pick("–", "-")
    normalButton = isUnicode ? ("‹ ", " ›") : ("< ", " >")
  }
}
