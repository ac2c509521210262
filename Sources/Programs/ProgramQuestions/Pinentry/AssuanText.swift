import Platform

/// Texts in lines of the Assuan protocol.
enum AssuanText {
  /// The maximum number of bytes of a line, without its line break.
  static let maximumLine = 1000

  /// Returns a text without its percent escapes. A percent sign without two digits stands for itself.
  static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let first = rest.popFirst() {
      if first == UInt8(ascii: "%"), let high = rest.first?.hexadecimalDigit,
        let low = rest.dropFirst().first?.hexadecimalDigit
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(first)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns data as `D` lines, each of which has room for the line break.
  static func dataLines(_ data: [UInt8]) -> [UInt8] {
    var lines: [UInt8] = []
    var line: [UInt8] = []
    func end() {
      lines += Array("D ".utf8) + line + [0x0A]
      line = []
    }
    for byte in data {
      let escaped: [UInt8] =
        switch byte {
        case UInt8(ascii: "%"): Array("%25".utf8)
        case 0x0A: Array("%0A".utf8)
        case 0x0D: Array("%0D".utf8)
        default: [byte]
        }
      if line.count + escaped.count > maximumLine - 2 { end() }
      line += escaped
    }
    if !line.isEmpty { end() }
    return lines
  }

  /// Returns a label without the underscore that marks the letter of its key.
  static func label(_ text: String) -> String {
    var label: [UInt8] = []
    var isMarked = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: "_"), !isMarked {
        isMarked = true
      } else {
        label.append(byte)
        isMarked = false
      }
    }
    return String(decoding: label, as: UTF8.self)
  }
}
