import Platform

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
    let line = text.bytes.trimmed
    guard let first = line.utf8.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { return nil }
    guard line.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control || $0 == "\t" }) else {
      return .wrong("this line contains control characters")
    }
    if let heading = line.bytes.dropping(prefix: "[") {
      return heading.bytes.dropping(suffix: "]").map { Statement.section(String($0)) } ?? .wrong("expected ']' at the end")
    }
    guard let (key, rest) = line.bytes.cut(at: "="), !key.isEmpty else { return .wrong("expected [Section] or Key=Value") }
    let value = rest.bytes.trimmed
    guard !value.bytes.hasSuffix(#"\"#) else { return .wrong("a value cannot span lines: '\\' does not continue it") }
    return .assignment(key: String(key.bytes.trimmed), value: String(value))
  }
}
