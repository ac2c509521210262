/// The contents of a configuration file: sections and assignments in the syntax of systemd.syntax(7), without line
/// continuations.
struct ConfigurationText {
  /// The meaning of a line.
  enum Statement: Sendable, Hashable {
    case section(String)
    case assignment(key: String, value: String)
    /// A line that cannot be parsed; the value is the message.
    case wrong(String)
  }

  /// A line that is neither empty nor a comment.
  struct Line: Sendable, Hashable {
    let number: Int
    let statement: Statement
  }

  let lines: [Line]

  init(_ bytes: [UInt8]) {
    lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated().compactMap { index, bytes in
      Self.statement(bytes).map { Line(number: index + 1, statement: $0) }
    }
  }

  private static func statement(_ bytes: ArraySlice<UInt8>) -> Statement? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return .wrong("this line is not UTF-8") }
    let line = text.trimmed
    guard let first = line.first, first != "#", first != ";" else { return nil }
    guard line.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control || $0 == "\t" }) else {
      return .wrong("this line contains control characters")
    }
    if first == "[" {
      return line.last == "]" ? .section(String(line.dropFirst().dropLast())) : .wrong("expected ']' at the end")
    }
    guard let sign = line.firstIndex(of: "="), sign > line.startIndex else { return .wrong("expected [Section] or Key=Value") }
    let value = line[line.index(after: sign)...].trimmed
    guard value.last != #"\"# else { return .wrong("a value cannot span lines: '\\' does not continue it") }
    return .assignment(key: String(line[..<sign].trimmed), value: String(value))
  }
}

extension StringProtocol {
  /// The string without leading and trailing white space.
  fileprivate var trimmed: SubSequence {
    let start = firstIndex { !$0.isWhitespace } ?? endIndex
    let last = self[start...].lastIndex { !$0.isWhitespace }
    return self[start..<(last.map { index(after: $0) } ?? start)]
  }
}
