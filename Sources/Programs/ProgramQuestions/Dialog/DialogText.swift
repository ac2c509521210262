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

/// A number at the start of a text, as `strtol` reads it.
struct CNumber: Sendable, Hashable {
  /// The number, clamped to 64 bits.
  var value: Int
  /// The length in bytes, with the white space and the sign before the number; 0 if there is no number.
  var length: Int

  /// Reads a number.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - anyBase: whether `0x` begins a hexadecimal and `0` an octal number.
  init(_ text: ProgramText, anyBase: Bool = false) {
    let bytes = text.bytes
    var index = bytes.firstIndex { !$0.isASCIISpace } ?? bytes.count
    var isNegative = false
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
      isNegative = bytes[index] == UInt8(ascii: "-")
      index += 1
    }
    var base = 10
    if anyBase, index < bytes.count, bytes[index] == UInt8(ascii: "0") {
      base = 8
      if index + 2 < bytes.count, bytes[index + 1].asciiLowercased == UInt8(ascii: "x"),
        Self.digit(bytes[index + 2], base: 16) != nil
      {
        base = 16
        index += 2
      }
    }
    let start = index
    var value = 0
    while index < bytes.count, let digit = Self.digit(bytes[index], base: base) {
      let (product, overflowed) = value.multipliedReportingOverflow(by: base)
      value = overflowed ? .max : product.addingReportingOverflow(digit).overflow ? .max : product + digit
      index += 1
    }
    self.value = isNegative ? -value : value
    length = index == start ? 0 : index
  }

  /// Returns the number if it is the whole text, which may be empty, as the check `*end == 0` does; nil if other characters
  /// follow it.
  static func whole(_ text: ProgramText, anyBase: Bool = false) -> Int? {
    let number = CNumber(text, anyBase: anyBase)
    return number.length == text.bytes.count ? number.value : nil
  }

  /// Returns the same number, clamped to the range of a C `int`, to which the programs convert it.
  static func int(_ text: ProgramText, anyBase: Bool = false) -> Int? {
    whole(text, anyBase: anyBase).map { Int(Int32(truncatingIfNeeded: $0)) }
  }

  private static func digit(_ byte: UInt8, base: Int) -> Int? {
    let value: Int
    switch byte.asciiLowercased {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = Int(byte) - 48
    case UInt8(ascii: "a")...UInt8(ascii: "f"): value = Int(byte.asciiLowercased) - 87
    default: return nil
    }
    return value < base ? value : nil
  }
}

extension Unicode.Scalar {
  /// Whether a word can begin with the scalar: a letter or a number.
  var beginsWord: Bool { properties.isAlphabetic || properties.numericType != nil }

  /// Whether the scalar belongs to a word: a letter, a number, a mark on one, or a joiner.
  var isWordPart: Bool { beginsWord || properties.isGraphemeExtend || self == "\u{200D}" }
}

/// Splits text into words as dialog does for `--file` and `DIALOGOPTS`.
enum DialogWords {
  /// Returns the words of a text: white space separates them outside double quotes. A backslash escapes a following backslash
  /// or double quote; before a line break, it removes both.
  static func split(_ text: ProgramText) -> [ProgramText] {
    var words: [ProgramText] = []
    var word: [UInt8]?
    var isQuoted = false
    var bytes = text.bytes[...]
    while let byte = bytes.popFirst() {
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
        word = word ?? []
      } else if !isQuoted, byte.isASCIISpace {
        if let word { words.append(ProgramText(word)) }
        word = nil
      } else if byte == UInt8(ascii: "\\") {
        guard let next = bytes.first else { break }
        if next == UInt8(ascii: "\n") {
          bytes.removeFirst()
        } else {
          let isEscape = next == UInt8(ascii: "\\") || next == UInt8(ascii: "\"")
          if isEscape { bytes.removeFirst() }
          word = (word ?? []) + [isEscape ? next : byte]
        }
      } else {
        word = (word ?? []) + [byte]
      }
    }
    if let word { words.append(ProgramText(word)) }
    return words
  }
}
