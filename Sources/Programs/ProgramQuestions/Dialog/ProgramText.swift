import Platform

/// An argument, a file name or an output of a program: bytes that need not be UTF-8.
///
/// Compared byte by byte, unlike `String`.
package struct ProgramText: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The bytes, without a terminating NUL.
  package var bytes: [UInt8]

  /// Creates a text from bytes.
  package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// Creates a text from a string, as UTF-8.
  package init(_ string: String) { bytes = Array(string.utf8) }

  /// Creates a text from a literal.
  package init(stringLiteral value: String) { bytes = Array(value.utf8) }

  /// Whether the text has no bytes.
  package var isEmpty: Bool { bytes.isEmpty }

  /// The text as a string, in which U+FFFD replaces bytes that are not UTF-8.
  package var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether the text begins with the bytes of another one.
  func begins(with prefix: String) -> Bool { bytes.starts(with: prefix.utf8) }

  /// The first bytes, as `%.*s` prints them.
  func first(_ count: Int) -> ProgramText { ProgramText(bytes.prefix(max(count, 0))) }

  /// Whether both texts are equal, ignoring the case of ASCII letters.
  func matches(_ other: String) -> Bool {
    bytes.count == other.utf8.count && zip(bytes, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }

  static func + (left: ProgramText, right: ProgramText) -> ProgramText { ProgramText(left.bytes + right.bytes) }
}

extension UInt8 {
  /// Whether the byte is a blank or a tab, as in `isblank`.
  var isBlank: Bool { self == 0x20 || self == 0x09 }
}
