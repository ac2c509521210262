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
