import CNCurses
import Glibc

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
    isUnicode = abilities.font != .ascii
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
