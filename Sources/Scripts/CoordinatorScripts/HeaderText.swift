import Platform

/// A part of a header, in which a backslash takes the meaning from the separator after it.
struct HeaderText {
  private static let escapable = Set(";,:\\".utf8)
  private static let escape = UInt8(ascii: "\\")

  private let bytes: [UInt8]

  init(_ text: Substring) { bytes = Array(text.utf8) }
  private init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// The text as it stands in the header.
  var raw: String { String(decoding: bytes, as: UTF8.self) }

  /// The text without escapes. A backslash before any other character stands for itself.
  var text: String {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if isEscape(at: index) { index += 1 }
      result.append(bytes[index])
      index += 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  var trimmed: HeaderText { HeaderText(raw.bytes.trimmed) }

  private func isEscape(at index: Int) -> Bool {
    bytes[index] == Self.escape && index + 1 < bytes.count && Self.escapable.contains(bytes[index + 1])
  }

  /// The places of a separator that no backslash precedes.
  private func places(of separator: Unicode.Scalar) -> [Int] {
    var places: [Int] = []
    var index = 0
    while index < bytes.count {
      if isEscape(at: index) {
        index += 2
        continue
      }
      if bytes[index] == UInt8(ascii: separator) { places.append(index) }
      index += 1
    }
    return places
  }

  /// Splits the text at a separator.
  func split(at separator: Unicode.Scalar) -> [HeaderText] {
    var parts: [HeaderText] = []
    var start = 0
    for place in places(of: separator) + [bytes.count] {
      parts.append(HeaderText(bytes[start..<place]))
      start = place + 1
    }
    return parts
  }

  /// Cuts the text at the first separator; nil if there is none.
  func cut(at separator: Unicode.Scalar) -> (before: HeaderText, after: HeaderText)? {
    guard let place = places(of: separator).first else { return nil }
    return (HeaderText(bytes[..<place]), HeaderText(bytes[(place + 1)...]))
  }
}
