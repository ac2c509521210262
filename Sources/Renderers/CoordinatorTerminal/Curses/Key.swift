import CNCurses
import Platform

/// An input from the keyboard or the mouse.
enum Key: Sendable, Hashable {
  /// A typed character.
  case character(Character)
  /// A letter with Ctrl.
  case control(Character)
  /// Pasted text, including line breaks.
  case paste(String)
  /// Alt-Enter.
  case newline
  case enter, escape, tab, backTab, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
  case wordLeft, wordRight
  /// Movements with Shift, which select.
  case selectLeft, selectRight, selectHome, selectEnd
  /// Left with Alt.
  case altLeft
  /// The terminal has gained or lost the focus.
  case focusGained, focusLost
  /// F1.
  case help
  /// F2.
  case phone
  /// A mouse click, and the mouse wheel.
  case click(Position)
  case wheelUp, wheelDown
}

/// Reads keys through ncurses.
struct CursesKeys {
  /// The key sequences that many terminfo entries lack, with key codes that ncurses does not use.
  private static let sequences: [(text: String, code: Int32, key: Key)] = [
    ("\u{1B}[1;3D", 2000, .altLeft), ("\u{1B}\u{1B}[D", 2000, .altLeft), ("\u{1B}[1;5D", 2001, .wordLeft),
    ("\u{1B}[1;5C", 2002, .wordRight), ("\u{1B}[1;2D", 2003, .selectLeft), ("\u{1B}[1;2C", 2004, .selectRight),
    ("\u{1B}[1;2H", 2005, .selectHome), ("\u{1B}[1;2F", 2006, .selectEnd),
  ]
  private static let pasteBegins: Int32 = 2100
  private static let pasteEnds: Int32 = 2101
  /// The number of bytes after which the rest of a paste is not kept. A character has at most 64 bytes: 16 scalars.
  private static let longestPaste = 64 * (TextEditor.longest + 1)
  private static let focusGained: Int32 = 2200
  private static let focusLost: Int32 = 2201

  private static let keys: [Int32: Key] = [
    KEY_UP: .up, KEY_DOWN: .down, KEY_LEFT: .left, KEY_RIGHT: .right, KEY_HOME: .home, KEY_END: .end, KEY_PPAGE: .pageUp,
    KEY_NPAGE: .pageDown, KEY_BACKSPACE: .backspace, KEY_DC: .delete, KEY_ENTER: .enter, KEY_BTAB: .backTab,
    KEY_SLEFT: .selectLeft, KEY_SRIGHT: .selectRight, KEY_SHOME: .selectHome, KEY_SEND: .selectEnd, KEY_F0 + 1: .help,
    KEY_F0 + 2: .phone,
  ].merging(sequences.map { ($0.code, $0.key) }) { $1 }

  /// Defines the sequences in ncurses (`define_key`).
  static func define() {
    for sequence in sequences { define_key(sequence.text, sequence.code) }
    define_key("\u{1B}[200~", pasteBegins)
    define_key("\u{1B}[201~", pasteEnds)
    define_key("\u{1B}[I", focusGained)
    define_key("\u{1B}[O", focusLost)
  }

  /// The text pasted so far, while a bracketed paste is being received.
  private var paste: String?

  /// Returns all pending keys. Does not wait.
  mutating func read() -> [Key] {
    var keys: [Key] = []
    var code: wint_t = 0
    while true {
      switch ccurses_read(&code) {
      case CCURSES_CHARACTER: if let key = character(code) { keys.append(key) }
      case CCURSES_KEY: if let key = key(Int32(bitPattern: code)) { keys.append(key) }
      default: return keys
      }
    }
  }

  private mutating func key(_ code: Int32) -> Key? {
    switch code {
    case Self.focusGained: return .focusGained
    case Self.focusLost: return .focusLost
    case Self.pasteBegins: paste = ""
    case Self.pasteEnds:
      defer { paste = nil }
      return paste.map { Key.paste($0.bytes.replacing("\r\n", with: "\n").bytes.replacing("\r", with: "\n")) }
    case KEY_MOUSE:
      var row: Int32 = 0
      var column: Int32 = 0
      switch ccurses_mouse(&row, &column) {
      case CCURSES_CLICK: return .click(Position(column: Int(column), row: Int(row)))
      case CCURSES_WHEEL_UP: return .wheelUp
      case CCURSES_WHEEL_DOWN: return .wheelDown
      default: break
      }
    default: return paste == nil ? Self.keys[code] : nil
    }
    return nil
  }

  private mutating func character(_ code: wint_t) -> Key? {
    guard let scalar = Unicode.Scalar(code) else { return nil }
    if let count = paste?.utf8.count {
      // Keeps no more of a paste than a text field refuses, because it is too long.
      if count < Self.longestPaste { paste?.unicodeScalars.append(scalar) }
      return nil
    }
    switch scalar.value {
    case 0x1B: return afterEscape()
    case 0x0A, 0x0D: return .enter
    case 0x09: return .tab
    case 0x08, 0x7F: return .backspace
    case 0x01...0x1A: return .control(Character(Unicode.Scalar(UInt8(scalar.value) + 0x60)))
    case 0..<0x20, 0x80..<0xA0: return nil
    default: return .character(Character(scalar))
    }
  }

  /// Returns Escape, unless a character follows immediately, which means that Alt was pressed with it.
  private func afterEscape() -> Key? {
    var code: wint_t = 0
    guard ccurses_read(&code) == CCURSES_CHARACTER else { return .escape }
    return switch code {
    case 0x62: .wordLeft
    case 0x66: .wordRight
    case 0x0A, 0x0D: .newline
    case 0x1B: .escape
    default: nil
    }
  }
}
