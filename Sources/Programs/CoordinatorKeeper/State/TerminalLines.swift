import ProgramQuestions

/// The lines that a simple terminal would show. It interprets line breaks, carriage returns, backspaces, and erasing the screen
/// or the rest of a line. All other escape sequences have no effect.
struct TerminalLines: Sendable, Hashable {
  private enum State { case text, escape, control, string, stringEscape, single }

  /// The maximum number of characters of a line.
  static let width = 500

  private var finished: [[UInt8]] = []
  private var line: [UInt8] = []
  private var returns = false
  private var isAtTop = false

  /// Writes bytes.
  mutating func write(_ bytes: some Sequence<UInt8>) {
    var state = State.text
    var sequence: [UInt8] = []
    for byte in bytes {
      switch (state, byte) {
      case (.string, 0x07), (.stringEscape, 0x5C): state = .text
      case (.string, 0x1B): state = .stringEscape
      case (.stringEscape, _): state = .string
      case (.string, _): break
      case (_, 0x1B): state = .escape
      case (.escape, UInt8(ascii: "[")): (state, sequence) = (.control, [])
      case (.escape, UInt8(ascii: "]")), (.escape, UInt8(ascii: "P")), (.escape, UInt8(ascii: "_")): state = .string
      case (.escape, 0x20...0x2F): state = .single
      case (.escape, UInt8(ascii: "c")):
        erase()
        state = .text
      case (.escape, _), (.single, _): state = .text
      case (.control, 0x40...0x7E):
        obey(sequence + [byte])
        state = .text
      case (.control, _): sequence.append(byte)
      case (.text, _): put(byte)
      }
    }
  }

  private mutating func put(_ byte: UInt8) {
    switch byte {
    case 0x0A:
      finished.append(line)
      (line, returns) = ([], false)
    case 0x0D: returns = true
    case 0x08: if line.last.map({ $0 < 0x80 }) == true { line.removeLast() }
    case 0x07, 0x00: break
    default:
      // Output after a carriage return replaces the whole line, because programs show progress like this.
      if returns { (line, returns) = ([], false) }
      line.append(byte)
    }
  }

  private mutating func obey(_ sequence: [UInt8]) {
    defer { isAtTop = ["H", "1;1H", ";H"].contains { sequence.elementsEqual($0.utf8) } }
    switch sequence.last {
    case UInt8(ascii: "J") where isAtTop || (sequence != Array("J".utf8) && sequence != Array("0J".utf8)): erase()
    case UInt8(ascii: "K") where returns || sequence == Array("2K".utf8): (line, returns) = ([], false)
    default: break
    }
  }

  private mutating func erase() { (finished, line, returns) = ([], [], false) }

  /// The number of lines, without empty ones at the end.
  var count: Int { shown.count }

  private var shown: ArraySlice<[UInt8]> {
    let all = finished + [line]
    return all.prefix((all.lastIndex { !$0.allSatisfy { $0 == 0x20 } } ?? -1) + 1)
  }

  /// Returns the last lines, safe to show, without empty ones at the end.
  func last(_ count: Int) -> [String] {
    shown.suffix(count).map { ForeignText(bytes: $0, limit: Self.width).lines.joined(separator: " ") }
  }
}

/// The last bytes that a program has written to its terminal.
struct OutputTail: Sendable, Hashable {
  /// The number of bytes that are kept.
  static let limit = 64 * 1024

  private var kept: [UInt8] = []
  /// The number of these bytes that arrived since the last answer.
  private var unanswered = 0

  /// The bytes.
  var bytes: ArraySlice<UInt8> { kept.suffix(Self.limit) }

  /// The bytes since the last answer.
  var sinceAnswer: ArraySlice<UInt8> { kept.suffix(unanswered) }

  /// Appends bytes. They are copied as a whole, without inspecting each one.
  mutating func append(_ bytes: [UInt8]) {
    kept += bytes[max(bytes.count - Self.limit, 0)...]
    unanswered = min(unanswered + bytes.count, Self.limit)
    // Trimmed only occasionally, because moving the bytes takes time.
    if kept.count > 2 * Self.limit { kept.removeFirst(kept.count - Self.limit) }
  }

  /// Marks all output so far as answered: it no longer contains an open prompt.
  mutating func answered() { unanswered = 0 }

  /// Returns the last lines, safe to show.
  ///
  /// - Parameter count: the maximum number of lines.
  /// - Returns: the lines, without empty ones at the end.
  func lines(_ count: Int) -> [String] { screen.lines.last(count) }

  /// Returns whether there are more lines than the last ones, which a terminal would have scrolled out of view.
  ///
  /// - Parameter count: the number of lines that are shown.
  /// - Returns: whether there are more.
  func hasMore(than count: Int) -> Bool {
    let (lines, isCut) = screen
    return lines.count > count || isCut && lines.count > 1
  }

  /// The screen that a terminal would show for the kept bytes, and whether earlier output is missing.
  private var screen: (lines: TerminalLines, isCut: Bool) {
    var screen = TerminalLines()
    var bytes = kept.suffix(16 * 1024)
    // The kept bytes may begin within an escape sequence.
    let isCut = bytes.count < kept.count
    if isCut, let end = bytes.firstIndex(of: 0x0A) { bytes = bytes[(end + 1)...] }
    screen.write(bytes)
    return (screen, isCut)
  }
}
