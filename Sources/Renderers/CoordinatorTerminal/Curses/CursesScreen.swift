import CNCurses
import Glibc

/// The terminal through ncurses. ncurses keeps its state in globals and knows no threads, so that all of this belongs to the one
/// thread of a ``CursesTerminal``.
struct CursesScreen: ~Copyable {
  private let hasColours: Bool
  private let isUnicode: Bool
  private(set) var size: Size

  /// Takes the terminal over; nil if it can do too little.
  ///
  /// - Parameters:
  ///   - isColoured: Whether colours are wanted.
  ///   - isUnicode: Whether the terminal takes more than ASCII.
  init?(isColoured: Bool, isUnicode: Bool) {
    TerminalRescue.remember()
    guard ccurses_start() else { return nil }
    TerminalRescue.arm()
    hasColours = isColoured && ccurses_start_colours()
    self.isUnicode = isUnicode
    size = Self.currentSize
    ccurses_start_mouse()
    CursesKeys.define()
    TerminalRescue.write(TerminalRescue.pasteOn)
  }

  /// Gives the terminal back as it was.
  func end() {
    suspend()
    TerminalRescue.disarm()
  }

  /// Gives the terminal back for a while.
  func suspend() {
    TerminalRescue.write(TerminalRescue.pasteOff)
    endwin()
  }

  /// Takes the terminal again, also where somebody else has set it differently, and writes everything anew.
  mutating func resume() {
    reset_prog_mode()
    TerminalRescue.write(TerminalRescue.pasteOn)
    ccurses_forget()
    resize()
  }

  /// Takes over how large the terminal is now.
  mutating func resize() {
    size = Self.currentSize
    resizeterm(Int32(clamping: size.rows), Int32(clamping: size.columns))
  }

  /// Shows a frame; of one for another size as much as fits.
  func paint(_ frame: borrowing Frame) {
    ccurses_erase()
    for row in 0..<min(frame.size.rows, size.rows) {
      for (column, cell) in frame.row(row).enumerated() where column < size.columns { put(cell, row, column) }
    }
    let cursor = frame.cursor ?? Position(column: 0, row: 0)
    ccurses_show(Int32(clamping: cursor.row), Int32(clamping: cursor.column), frame.isCursorVisible)
  }

  private func put(_ cell: Frame.Cell, _ row: Int, _ column: Int) {
    // A blank is there already, and the second half of a wide character comes with the first.
    guard !cell.text.isEmpty, cell != .blank else { return }
    let look = cell.look
    let attributes = ccurses_attributes(
      look.traits.contains(.bold), look.traits.contains(.dim), look.traits.contains(.underlined),
      look.traits.contains(.reversed))
    let scalars = cell.text.unicodeScalars.map { isUnicode || $0.isASCII ? wchar_t(bitPattern: $0.value) : 0x3F }
    ccurses_put(
      Int32(clamping: row), Int32(clamping: column), scalars + [0], attributes, hasColours ? look.colour?.rawValue ?? 0 : 0)
  }

  private static var currentSize: Size {
    var rows: Int32 = 24
    var columns: Int32 = 80
    _ = ccurses_size(&rows, &columns)
    return Size(columns: Int(columns), rows: Int(rows))
  }
}
