import CNCurses
import CoordinatorKit
import Glibc
import Platform
import RendererKit
import Themes

/// The terminal through ncurses. ncurses stores its state in globals and is not thread-safe, so a screen must only be
/// used on the thread of its ``CursesTerminal``.
struct CursesScreen: ~Copyable {
  private var colours: CursesColours?
  private let isUnicode: Bool
  private var voice: TerminalVoice
  private(set) var size: Size
  private var isSuspended = false
  /// The frame that was painted last; nil if everything must be painted.
  private var shown: Frame?

  /// The number of rows up to which a repaint is not synchronized, because it is invisible and each sequence would be a
  /// separate write.
  private static let fewRows = 3

  /// The reason why ncurses cannot be loaded; nil once it is loaded. Read this before you create a screen.
  static var problem: String? { ccurses_load().map { String(cString: $0) } }

  /// Takes over the terminal; nil if ncurses cannot use it.
  ///
  /// - Parameters:
  ///   - isColoured: whether to use colors.
  ///   - abilities: sequences that the terminal supports.
  init?(isColoured: Bool, _ abilities: TerminalAbilities) {
    TerminalRescue.remember()
    guard ccurses_start() else { return nil }
    voice = TerminalVoice(abilities)
    TerminalRescue.arm(saying: voice.farewell)
    colours = isColoured && ccurses_start_colours() ? CursesColours() : nil
    isUnicode = ccurses_is_utf8()
    size = Self.currentSize
    ccurses_start_mouse()
    CursesKeys.define()
    TerminalRescue.write(TerminalRescue.pasteOn + voice.greeting)
  }

  /// Restores the terminal.
  mutating func end() {
    suspend()
    TerminalRescue.disarm()
  }

  /// Releases the terminal temporarily.
  mutating func suspend() {
    isSuspended = true
    TerminalRescue.write(voice.farewell + TerminalRescue.pasteOff)
    endwin()
  }

  /// Takes over the terminal again, even if another program has changed its mode, and repaints everything.
  mutating func resume() {
    reset_prog_mode()
    // The title is already saved if another program has stopped this one.
    TerminalRescue.write(TerminalRescue.pasteOn + (isSuspended ? voice.greeting : voice.focusOn))
    isSuspended = false
    voice.forget()
    ccurses_forget()
    resize()
  }

  /// Adopts the current size of the terminal.
  mutating func resize() {
    size = Self.currentSize
    shown = nil
    resizeterm(Int32(clamping: size.rows), Int32(clamping: size.columns))
  }

  /// Paints a frame; clips a frame of another size.
  mutating func paint(_ frame: Frame) {
    let rows = changedRows(of: frame)
    let repaint = rows.count > Self.fewRows || !frame.links.isEmpty ? voice.repaint : (begin: "", end: "")
    say(voice.news(of: frame) + repaint.begin)
    if shown?.size != frame.size { ccurses_erase() }
    for row in rows {
      ccurses_erase_row(Int32(clamping: row))
      for (column, cell) in frame.row(row).enumerated() where column < size.columns { put(cell, row, column) }
    }
    let cursor = frame.cursor ?? Position(column: 0, row: 0)
    ccurses_show(Int32(clamping: cursor.row), Int32(clamping: cursor.column), frame.isCursorVisible)
    say(voice.links(of: frame) + repaint.end)
    shown = frame
  }

  /// Returns the rows that must be painted.
  private func changedRows(of frame: Frame) -> [Int] {
    guard let shown, shown.size == frame.size else { return Array(0..<min(frame.size.rows, size.rows)) }
    return frame.rowsThatDiffer(from: shown).filter { $0 < size.rows }
  }

  /// Records that the terminal has gained or lost the focus.
  mutating func setFocus(_ has: Bool) { voice.setFocus(has) }

  /// Notifies the user, unless the terminal has the focus.
  func notify(_ notification: CursesTerminal.Notification) {
    say(voice.notification(notification.text, title: notification.title))
  }

  private func say(_ text: String) { if !text.isEmpty { TerminalRescue.write(text) } }

  private mutating func put(_ cell: Frame.Cell, _ row: Int, _ column: Int) {
    // Blanks are already there, and ncurses draws the second half of a wide character with the first.
    guard !cell.text.isEmpty, cell != .blank else { return }
    let look = cell.look
    let attributes = ccurses_attributes(
      look.traits.contains(.bold), look.traits.contains(.dim), look.traits.contains(.underlined),
      look.traits.contains(.reversed))
    let scalars = cell.text.unicodeScalars.map { isUnicode || $0.isASCII ? wchar_t(bitPattern: $0.value) : 0x3F }
    let pair = look.colour.flatMap { colours?.pair(of: $0) } ?? 0
    guard scalars.count != 2 || cell.text.unicodeScalars.first?.isRegionalIndicator != true else {
      for (place, scalar) in scalars.enumerated() {
        ccurses_put(Int32(clamping: row), Int32(clamping: column + place), [scalar, 0], attributes, pair)
      }
      return
    }
    ccurses_put(Int32(clamping: row), Int32(clamping: column), scalars + [0], attributes, pair)
  }

  private static var currentSize: Size {
    var rows: Int32 = 24
    var columns: Int32 = 80
    _ = ccurses_size(&rows, &columns)
    return Size(columns: Int(columns), rows: Int(rows))
  }
}

/// The colors of a terminal. Like ncurses, it must only be used on one thread.
///
/// ncurses supports the number of colors in terminfo, usually 256. It supports all colors if ``TrueColour`` has provided
/// another description of the terminal, or if the terminal's own description does so (`xterm-direct`).
struct CursesColours {
  /// The number of colors that are used.
  enum Depth: Sendable, Hashable {
    /// The eight colors of the palette.
    case palette
    /// The 256 colors that many terminals support.
    case cube
    /// All colors, according to terminfo.
    case native
  }

  private let depth: Depth
  /// The pairs of the tones that have been used.
  private var pairs: [RGBColor: Int16] = [:]
  /// The maximum number of tones that are distinguished.
  private static let mostTones = 24
  /// The first pair that is not one of the palette.
  private static let firstPair: Int16 = 8

  init() {
    let count = ccurses_colours()
    depth = count < 256 ? .palette : count > 256 ? .native : .cube
  }

  /// Returns the pair of a color on the default background.
  mutating func pair(of colour: Look.Colour) -> Int16 {
    guard case .tone(let color) = colour, depth != .palette else { return colour.paletteNumber }
    if let pair = pairs[color] { return pair }
    let place = pairs.count
    guard place < Self.mostTones else { return colour.paletteNumber }
    let pair = Self.firstPair + Int16(place)
    let number: Int32 =
      switch depth {
      case .palette, .cube: Int32(color.cubeNumber)
      case .native: Int32(color.red) << 16 | Int32(color.green) << 8 | Int32(color.blue)
      }
    guard ccurses_define(Int32(pair), number) else { return colour.paletteNumber }
    pairs[color] = pair
    return pair
  }
}

/// The sequences to a terminal besides the cells of its screen: the title of its window, progress, notifications, links. A
/// value without I/O; its results are the sequences to send.
struct TerminalVoice: Sendable, Hashable {
  let abilities: TerminalAbilities
  private var title = ""
  private var progress: Frame.Progress?
  /// Whether the terminal has the focus, as far as it has reported.
  private var hasFocus = true

  init(_ abilities: TerminalAbilities) { self.abilities = abilities }

  private static let escape = "\u{1B}"
  /// The end of an operating system command.
  private static let end = escape + "\\"

  /// The sequence that saves the title of the window and requests focus reports.
  var greeting: String { (abilities.hasTitle ? Self.escape + "[22;2t" : "") + focusOn }

  /// The sequence that requests focus reports.
  var focusOn: String { abilities.hasFocus ? Self.escape + "[?1004h" : "" }

  /// The sequence that undoes all others. Also valid if the terminal is in the middle of a repaint.
  var farewell: String {
    (abilities.isSynchronized ? Self.escape + "[?2026l" : "") + (abilities.hasFocus ? Self.escape + "[?1004l" : "")
      + (abilities.hasProgress ? Self.progress(nil) : "") + (abilities.hasTitle ? Self.escape + "[23;2t" : "")
  }

  /// The sequences that begin and end a repaint.
  var repaint: (begin: String, end: String) {
    abilities.isSynchronized ? (Self.escape + "[?2026h", Self.escape + "[?2026l") : ("", "")
  }

  /// Forgets the sent title and progress, so that they are sent again.
  mutating func forget() { (title, progress) = ("", nil) }

  /// Records that the terminal has gained or lost the focus.
  mutating func setFocus(_ has: Bool) { hasFocus = has }

  /// Returns the sequences for changes besides the cells of a frame.
  mutating func news(of frame: borrowing Frame) -> String {
    var text = ""
    if abilities.hasTitle, frame.title != title, !frame.title.isEmpty {
      title = frame.title
      text += Self.escape + "]2;" + title.printable + Self.end
    }
    if abilities.hasProgress, frame.progress != progress {
      progress = frame.progress
      text += Self.progress(progress)
    }
    return text
  }

  private static func progress(_ progress: Frame.Progress?) -> String {
    let state =
      switch progress {
      case nil: "0"
      case .unknown: "3"
      case .percent(let percent): "1;\(percent)"
      }
    return escape + "]9;4;" + state + end
  }

  /// Returns the sequence that notifies the user; empty if the terminal has the focus, because its user has seen the event.
  ///
  /// - Parameters:
  ///   - text: description of the event.
  ///   - title: title, for terminals whose notifications have one.
  /// - Returns: the sequence to send.
  func notification(_ text: String, title: String) -> String {
    guard abilities.hasFocus, !hasFocus else { return "" }
    // A semicolon would begin another part of the sequence.
    let (text, title) = (text.printable, title.printable.bytes.replacing(";", with: ","))
    switch abilities.notification {
    case .bell: return "\u{7}"
    case .message: return Self.escape + "]9;" + text + Self.end + "\u{7}"
    case .titledMessage: return Self.escape + "]777;notify;" + title + ";" + text + Self.end + "\u{7}"
    }
  }

  /// Returns the sequence that turns the texts that were just drawn into links, because ncurses cannot draw links. The cursor
  /// stays where it is.
  func links(of frame: borrowing Frame) -> String {
    guard abilities.hasLinks, !frame.links.isEmpty else { return "" }
    let texts = frame.links.map { link in
      Self.escape + "[\(link.place.row + 1);\(link.place.column + 1)H" + Self.escape + "[0;4m" + Self.escape + "]8;;"
        + link.address + Self.end + link.text + Self.escape + "]8;;" + Self.end
    }
    return Self.escape + "7" + texts.joined() + Self.escape + "8"
  }
}
