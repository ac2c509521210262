/// The UTF-8 bytes of a text, for code that interprets a protocol, a file or a command line.
///
/// Swift's own string functions compare Characters, and strings by canonical equivalence, which is wrong for such code: an
/// apostrophe followed by a combining mark is one Character, which differs from `"'"`, so neither `split(separator: "'")` nor
/// `contains("'")` finds it; and U+037E equals `";"`. These functions search for bytes. They never split a Unicode scalar,
/// because in UTF-8 no scalar begins within another one.
package struct TextBytes: Sendable {
  /// The text.
  package let text: Substring

  fileprivate init(_ text: Substring) { self.text = text }

  private var utf8: Substring.UTF8View { text.utf8 }

  /// The number of bytes.
  package var count: Int { utf8.count }

  /// Returns whether the text begins with the bytes of another one.
  package func hasPrefix(_ prefix: some StringProtocol) -> Bool { utf8.starts(with: prefix.utf8) }

  /// Returns whether the text ends with the bytes of another one.
  package func hasSuffix(_ suffix: some StringProtocol) -> Bool { utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }

  /// Returns whether the bytes of another text occur in this one.
  package func contains(_ other: some StringProtocol) -> Bool { range(of: other) != nil }

  /// Returns whether both texts have the same bytes.
  package func equals(_ other: some StringProtocol) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }

  /// Returns the index of the first occurrence of another text's bytes; nil if there is none.
  package func firstIndex(of other: some StringProtocol) -> String.Index? { range(of: other)?.lowerBound }

  /// Returns the index of the last occurrence of another text's bytes; nil if there is none.
  package func lastIndex(of other: some StringProtocol) -> String.Index? { lastRange(of: other)?.lowerBound }

  /// Returns the text without a prefix; nil if it does not begin with the bytes of that prefix.
  package func dropping(prefix: some StringProtocol) -> Substring? {
    hasPrefix(prefix) ? Substring(utf8.dropFirst(prefix.utf8.count)) : nil
  }

  /// Returns the text without a suffix; nil if it does not end with the bytes of that suffix.
  package func dropping(suffix: some StringProtocol) -> Substring? {
    hasSuffix(suffix) ? Substring(utf8.dropLast(suffix.utf8.count)) : nil
  }

  /// Returns the parts before and after the first occurrence of a separator, as in `key=value`; nil if there is none.
  package func cut(at separator: some StringProtocol) -> (before: Substring, after: Substring)? {
    range(of: separator).map { (text[..<$0.lowerBound], text[$0.upperBound...]) }
  }

  /// Returns the parts before and after the last occurrence of a separator; nil if there is none.
  package func cutLast(at separator: some StringProtocol) -> (before: Substring, after: Substring)? {
    lastRange(of: separator).map { (text[..<$0.lowerBound], text[$0.upperBound...]) }
  }

  /// Returns the parts between the occurrences of a separator.
  ///
  /// - Parameters:
  ///   - separator: the bytes between the parts.
  ///   - maxSplits: the maximum number of splits; the text after the last one is a single part.
  ///   - omittingEmptySubsequences: whether to omit empty parts, which then do not count as splits.
  /// - Returns: the parts.
  package func split(
    separator: some StringProtocol, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
  ) -> [Substring] {
    var parts: [Substring] = []
    var (rest, splits) = (text, 0)
    while splits < maxSplits, let (before, after) = rest.bytes.cut(at: separator) {
      rest = after
      if omittingEmptySubsequences, before.isEmpty { continue }
      parts.append(before)
      splits += 1
    }
    if !omittingEmptySubsequences || !rest.isEmpty { parts.append(rest) }
    return parts
  }

  /// The parts between runs of ASCII white space.
  package var words: [Substring] { utf8.split(whereSeparator: \.isASCIISpace).map { Substring($0) } }

  /// The text without ASCII white space at both ends.
  package var trimmed: Substring {
    var rest = utf8
    while let first = rest.first, first.isASCIISpace { rest.removeFirst() }
    while let last = rest.last, last.isASCIISpace { rest.removeLast() }
    return Substring(rest)
  }

  /// Returns the text with each occurrence of some bytes replaced by others.
  package func replacing(_ other: some StringProtocol, with replacement: some StringProtocol) -> String {
    var result = ""
    var rest = text
    while let (before, after) = rest.bytes.cut(at: other) {
      result += before
      result += replacement
      rest = after
    }
    return result + rest
  }

  /// The text with ASCII letters in lower case. All other characters are unchanged.
  package var lowercased: String { String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self) }

  /// The text with ASCII letters in upper case. All other characters are unchanged.
  package var uppercased: String { String(decoding: utf8.map(\.asciiUppercased), as: UTF8.self) }

  private func range(of other: some StringProtocol) -> Range<String.Index>? {
    guard let first = other.utf8.first else { return nil }
    let length = other.utf8.count
    var rest = utf8
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if length == 1 || rest.starts(with: other.utf8) { return start..<rest.index(start, offsetBy: length) }
      rest.removeFirst()
    }
    return nil
  }

  private func lastRange(of other: some StringProtocol) -> Range<String.Index>? {
    guard let first = other.utf8.first else { return nil }
    let length = other.utf8.count
    var end = utf8.endIndex
    while let start = utf8[..<end].lastIndex(of: first) {
      if utf8[start...].starts(with: other.utf8) { return start..<utf8.index(start, offsetBy: length) }
      end = start
    }
    return nil
  }
}

extension TextBytes: Hashable {
  package static func == (one: TextBytes, other: TextBytes) -> Bool { one.equals(other.text) }

  package func hash(into hasher: inout Hasher) {
    var text = String(text)
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(utf8.count)
  }
}

extension String {
  /// The text as UTF-8 bytes, for byte-wise processing.
  package var bytes: TextBytes { TextBytes(self[...]) }
}

extension Substring {
  /// The text as UTF-8 bytes, for byte-wise processing.
  package var bytes: TextBytes { TextBytes(self) }
}

extension UInt8 {
  /// Whether the byte is an ASCII digit.
  package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether the byte is an ASCII letter.
  package var isASCIILetter: Bool { isASCIILowercase || isASCIIUppercase }

  /// Whether the byte is an ASCII letter in lower case.
  package var isASCIILowercase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }

  /// Whether the byte is an ASCII letter in upper case.
  package var isASCIIUppercase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }

  /// Whether the byte is ASCII white space: a blank, or a control character from the tab to the carriage return.
  package var isASCIISpace: Bool { self == UInt8(ascii: " ") || (0x09...0x0D).contains(self) }

  /// The byte, in lower case if it is an ASCII letter.
  package var asciiLowercased: UInt8 { isASCIIUppercase ? self | 0x20 : self }

  /// The byte, in upper case if it is an ASCII letter.
  package var asciiUppercased: UInt8 { isASCIILowercase ? self & 0xDF : self }

  /// The value of a hexadecimal digit; nil if the byte is not one.
  package var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
