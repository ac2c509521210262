import Platform

/// Makes text of programs safe to show.
///
/// Control characters and bidirectional controls become visible instead of taking effect; bytes that are not UTF-8 become
/// U+FFFD. Very long texts are cut.
enum DialogText {
  /// The maximum number of characters of a body, and of a title or row.
  static let longestBody = 100_000, longestLine = 1_000

  /// Returns a text of several lines that is safe to show.
  static func body(_ text: ProgramText, limit: Int = longestBody) -> String {
    var shown = String.UnicodeScalarView()
    var count = 0
    // Decodes only as much as can be shown.
    for scalar in text.first(4 * (limit + 1)).string.replacingLineEnds.unicodeScalars {
      count += 1
      if count > limit {
        shown.append("…")
        break
      }
      shown.append(contentsOf: scalar == "\n" ? ["\n"] : visible(scalar))
    }
    return String(shown)
  }

  /// Returns a text of one line that is safe to show; line breaks become blanks.
  static func line(_ text: ProgramText) -> String {
    body(text, limit: longestLine).bytes.replacing("\n", with: " ").trimmed
  }

  /// Returns the text of a single-line field: safe to show, with all its blanks.
  static func field(_ text: ProgramText) -> String {
    body(text, limit: longestBody).bytes.replacing("\n", with: " ")
  }

  /// Returns the text for an editor: everything except NUL, so that unchanged parts stay as they were.
  static func editable(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).bytes.replacing("\0", with: "\u{FFFD}")
  }

  /// Whether a text is shown unchanged.
  static func isPlain(_ text: ProgramText) -> Bool {
    let string = text.string
    return Array(string.utf8) == text.bytes && string.unicodeScalars.allSatisfy { visible($0) == [$0] }
  }

  private static func visible(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    switch scalar.value {
    case 0x09: [" "]
    case 0x00...0x1f: [Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"]
    case 0x7f: ["\u{2421}"]
    case 0x80...0x9f: ["\u{FFFD}"]
    // Marks, embeddings, overrides and isolates of bidirectional text; separators of lines and paragraphs; tags.
    case 0x061c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069, 0x2028, 0x2029, 0xfff9...0xfffb, 0xfeff, 0xe0000...0xe007f:
      Array("⟨\(String(scalar.value, radix: 16, uppercase: true))⟩".unicodeScalars)
    default: [scalar]
    }
  }
}

extension String {
  fileprivate var replacingLineEnds: String {
    var result = String.UnicodeScalarView()
    var last: Unicode.Scalar = " "
    for scalar in unicodeScalars {
      if scalar == "\n", last == "\r" { result.removeLast() }
      result.append(scalar)
      last = scalar
    }
    return String(result)
  }

  var trimmed: String {
    var rest = unicodeScalars[...]
    while rest.first?.properties.isWhitespace == true { rest.removeFirst() }
    while rest.last?.properties.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
