/// The names of programs that run detached, each of which is also the name of a directory.
package enum ProgramName {
  /// The maximum length of a name, in bytes.
  private static let longest = 64

  /// Whether a text can be a name: letters, digits, `-`, `_` and `.` in ASCII, with a letter or a digit at the start.
  package static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= longest, isAlphanumeric(first) else { return false }
    return text.utf8.allSatisfy { isAlphanumeric($0) || "-_.".utf8.contains($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
  }
}
