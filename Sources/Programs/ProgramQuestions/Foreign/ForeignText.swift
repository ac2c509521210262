import Platform

/// A text of another program, safe to show: visible characters replace control characters, escape sequences and bidirectional
/// overrides, so that a renderer shows them and a terminal does not execute them.
///
/// Marks that only hint at a direction, and joiners, which translations need, are kept.
package struct ForeignText: Sendable, Hashable {
  /// The lines, without their line breaks. Tabs are kept.
  package let lines: [String]

  /// The maximum number of code points of a text; an ellipsis replaces the rest.
  package static let limit = 64 * 1024

  /// Creates a text from a string.
  ///
  /// - Parameters:
  ///   - text: the string, with LF or CR LF between its lines.
  ///   - limit: the maximum number of code points to keep.
  package init(_ text: some StringProtocol, limit: Int = Self.limit) {
    var lines: [String] = []
    var line = String.UnicodeScalarView()
    var count = 0
    var pendingReturn = false
    for scalar in text.unicodeScalars {
      if pendingReturn, scalar != "\n" { line.append("\u{240D}") }
      pendingReturn = false
      guard count < limit else {
        line.append("…")
        break
      }
      count += 1
      switch scalar {
      case "\n":
        lines.append(String(line))
        line = .init()
      case "\r": pendingReturn = true
      default: line.append(contentsOf: Self.visible(scalar))
      }
    }
    lines.append(String(line))
    self.lines = lines
  }

  /// Creates a text from bytes. Replacement characters replace bytes that are not UTF-8.
  package init(bytes: some Collection<UInt8>, limit: Int = Self.limit) {
    self.init(String(decoding: bytes, as: UTF8.self), limit: limit)
  }

  /// The text with line breaks.
  package var text: String { lines.joined(separator: "\n") }

  /// The text in one line, with a blank for each line break and tab, and without blanks at its ends.
  package var line: String {
    var rest = lines.joined(separator: " ").bytes.replacing("\t", with: " ").utf8[...]
    while rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    while rest.last == UInt8(ascii: " ") { rest.removeLast() }
    return String(Substring(rest))
  }

  private static func visible(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
    switch scalar.value {
    case 0x09: String(scalar).unicodeScalars
    case 0..<0x20: picture(0x2400 + scalar.value)
    case 0x7F: picture(0x2421)
    case 0x80...0x9F, 0x2028...0x202E, 0x2066...0x206F, 0xFFF9...0xFFFB, 0xE0000...0xE007F: named(scalar.value)
    default: String(scalar).unicodeScalars
    }
  }

  private static func picture(_ value: UInt32) -> String.UnicodeScalarView {
    Unicode.Scalar(value).map { String($0).unicodeScalars } ?? named(value)
  }

  private static func named(_ value: UInt32) -> String.UnicodeScalarView {
    let digits = String(value, radix: 16, uppercase: true)
    return "<U+\(String(repeating: "0", count: max(0, 4 - digits.utf8.count)))\(digits)>".unicodeScalars
  }
}
