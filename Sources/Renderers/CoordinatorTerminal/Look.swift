// CNCurses declares wcwidth, which glibc's header offers only with _XOPEN_SOURCE.
import CNCurses
import CoordinatorKit
import Glibc
import Themes

/// The look of a cell. Most colors are those of the terminal's palette, so they suit dark and light backgrounds alike.
struct Look: Sendable, Hashable {
  /// A color of the letters.
  enum Colour: Sendable, Hashable {
    /// Colors of the palette.
    case red, green, yellow, blue, magenta, cyan
    /// White on black, regardless of the terminal's background: for codes that a camera reads.
    case paper
    /// A specific color; drawn as the most similar one that the terminal supports.
    case tone(RGBColor)
  }

  struct Traits: OptionSet, Sendable, Hashable {
    let rawValue: UInt8
    static let bold = Traits(rawValue: 1)
    static let dim = Traits(rawValue: 2)
    static let underlined = Traits(rawValue: 4)
    static let reversed = Traits(rawValue: 8)
  }

  /// The color; nil for the terminal's default.
  var colour: Colour?
  var traits: Traits

  init(_ traits: Traits = [], colour: Colour? = nil) {
    self.traits = traits
    self.colour = colour
  }

  static let plain = Look()
  static let strong = Look(.bold)
  static let quiet = Look(.dim)

  func with(_ more: Traits) -> Look { Look(traits.union(more), colour: colour) }
}

extension Look.Colour {
  /// The tone of an accent `#RRGGBB` that can be read on light and on dark backgrounds alike; nil if the string is
  /// malformed, or if the color is too gray to be noticed.
  init?(accent: String?) {
    guard let color = accent.flatMap({ RGBColor($0) }), color.paletteColour != nil else { return nil }
    self = .tone(color.tone)
  }

  init(_ level: ScreenMessage.Level) {
    switch level {
    case .error: self = .red
    case .warning: self = .yellow
    case .info: self = .cyan
    }
  }

  /// The number in the palette of eight colors.
  var paletteNumber: Int16 {
    switch self {
    case .red: 1
    case .green: 2
    case .yellow: 3
    case .blue: 4
    case .magenta: 5
    case .cyan: 6
    case .paper: 7
    case .tone(let color): (color.paletteColour ?? .magenta).paletteNumber
    }
  }

  /// Whether a button in the color looks like a destructive one.
  var readsAsDanger: Bool {
    switch self {
    case .red: true
    case .tone(let color): color.readsAsDanger
    default: false
    }
  }
}

extension RGBColor {
  /// The nearest tone with the same contrast on black and on white: about 4.5, which text needs.
  var tone: RGBColor { nearest(on: [.black, .white], 4.5) ?? self }

  /// The most similar color of the palette of eight; nil if the color is too gray.
  var paletteColour: Look.Colour? {
    let (red, green, blue) = (Int(red), Int(green), Int(blue))
    let low = min(red, green, blue)
    let span = max(red, green, blue) - low
    guard span >= 32 else { return nil }
    // Whether each channel is much closer to the strongest than to the weakest.
    let strong = [red, green, blue].map { ($0 - low) * 5 >= span * 2 }
    return switch (strong[0], strong[1], strong[2]) {
    case (true, false, false): .red
    case (true, true, false): .yellow
    case (false, true, false): .green
    case (false, true, true): .cyan
    case (false, false, true): .blue
    default: .magenta
    }
  }

  /// The number of the most similar color among the 256 that many terminals have: those of the cube of 6 × 6 × 6 colors.
  var cubeNumber: Int16 {
    let steps = [0, 95, 135, 175, 215, 255]
    func nearest(_ channel: UInt8) -> Int16 {
      let distances = steps.map { abs($0 - Int(channel)) }
      return Int16(distances.indices.min { distances[$0] < distances[$1] } ?? 0)
    }
    return 16 + 36 * nearest(red) + 6 * nearest(green) + nearest(blue)
  }
}

/// A part of a line with a uniform look.
struct Span: Sendable, Hashable {
  var text: String
  var look: Look
  /// The target of a click on the span.
  var target: Target?
  /// The address of a link.
  var link: String?

  init(_ text: String, _ look: Look = .plain, target: Target? = nil) {
    self.text = text
    self.look = look
    self.target = target
  }
}

/// A row of text that has not been put into cells yet.
struct Line: Sendable, Hashable, ExpressibleByStringLiteral {
  var spans: [Span]

  init(_ spans: [Span] = []) { self.spans = spans }

  init(_ text: String, _ look: Look = .plain, target: Target? = nil) { spans = [Span(text, look, target: target)] }

  init(stringLiteral text: String) { self.init(text) }

  static let blank = Line()

  var columns: Int { spans.reduce(0) { $0 + $1.text.columns } }

  /// Returns the line with a span before it.
  func indented(_ span: Span) -> Line { Line([span] + spans) }
}

extension Unicode.Scalar {
  /// The number of columns that the scalar occupies in a terminal: 0, 1 or 2, according to the C library, which ncurses uses
  /// too.
  var columns: Int {
    // Latin script needs no call; ncurses never gets control characters.
    if value < 0x300 { return value < 0x20 || (0x7F...0x9F).contains(value) ? 0 : 1 }
    let known = Self.withWidths { wcwidth(wchar_t(truncatingIfNeeded: Int64(value))) }
    guard known < 0 else { return Int(known) }
    // Line separators do not print. For a scalar that the C library does not know, ncurses reserves one column.
    return value == 0x2028 || value == 0x2029 ? 0 : 1
  }

  /// The C library's own UTF-8 locale; nil if it is not installed. Never freed, and immutable, so that threads share it.
  private nonisolated(unsafe) static let locale = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)

  /// Calls a closure in a locale with the widths of Unicode, regardless of the locale of the process: tests and programs
  /// without a terminal set none. Without C.UTF-8, the process's locale applies, as it does in ncurses.
  private static func withWidths(_ body: () -> Int32) -> Int32 {
    guard let locale else { return body() }
    // Affects the current thread only.
    let former = uselocale(locale)
    defer { uselocale(former) }
    return body()
  }
}

/// The number of columns and rows; never negative.
struct Size: Sendable, Hashable {
  var columns: Int
  var rows: Int

  init(columns: Int, rows: Int) {
    self.columns = max(columns, 0)
    self.rows = max(rows, 0)
  }
}

/// A position in a grid of cells, counted from 0.
struct Position: Sendable, Hashable {
  var column: Int
  var row: Int
}

/// A rectangle in a grid of cells.
struct Area: Sendable, Hashable {
  var column: Int
  var row: Int
  var size: Size

  init(column: Int = 0, row: Int = 0, _ size: Size) {
    self.column = column
    self.row = row
    self.size = size
  }

  init(column: Int, row: Int, columns: Int, rows: Int) {
    self.init(column: column, row: row, Size(columns: columns, rows: rows))
  }

  var columns: Int { size.columns }
  var rows: Int { size.rows }
  var lastRow: Int { row + rows - 1 }
  var lastColumn: Int { column + columns - 1 }

  /// Returns the area reduced by a number of columns and rows on each side.
  func inset(columns: Int, rows: Int) -> Area {
    Area(
      column: column + columns, row: row + rows, columns: self.columns - 2 * columns, rows: self.rows - 2 * rows)
  }

  func contains(_ position: Position) -> Bool {
    (column...max(lastColumn, column)).contains(position.column) && (row...max(lastRow, row)).contains(position.row)
      && columns > 0 && rows > 0
  }
}
