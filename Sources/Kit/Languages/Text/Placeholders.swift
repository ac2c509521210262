/// Inserts values for placeholders such as `{name}` in texts. A name consists of ASCII letters, digits and `_`, and does not
/// begin with a digit, so that msgfmt can check translations (`python-brace-format`).
enum Placeholders {
  /// Inserts values for the placeholders of a text.
  ///
  /// - Parameters:
  ///   - pattern: the text, in which `{{` and `}}` stand for single braces.
  ///   - value: returns the value of a placeholder by its name; nil if it has none.
  /// - Returns: the text with values. Placeholders without a value, and single braces, stay as they are.
  static func expand(_ pattern: String, value: (String) -> String?) -> String {
    // Most texts have no placeholders: they are returned without a copy.
    guard hasBrace(pattern) else { return pattern }
    let bytes = Array(pattern.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 2)
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      if isBrace(byte), position + 1 < bytes.count, bytes[position + 1] == byte {
        result.append(byte)
        position += 2
      } else if let name = placeholder(in: bytes, at: position), let inserted = value(name) {
        result += inserted.utf8
        position += name.utf8.count + 2
      } else {
        result.append(byte)
        position += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the name of the placeholder at a position; nil if there is none.
  private static func placeholder(in bytes: [UInt8], at position: Int) -> String? {
    guard bytes[position] == UInt8(ascii: "{") else { return nil }
    let name = bytes[(position + 1)...].prefix(while: isNamePart)
    guard let first = name.first, !isDigit(first) else { return nil }
    guard name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: "}") else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  /// Searches the bytes in place, which is several times as fast as a search by the indices of a string.
  private static func hasBrace(_ pattern: String) -> Bool {
    pattern.utf8.withContiguousStorageIfAvailable { $0.contains(where: isBrace) } ?? true
  }

  private static func isBrace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return UInt8(ascii: "a")...UInt8(ascii: "z") ~= lower || isDigit(byte) || byte == UInt8(ascii: "_")
  }
}
