/// Text that a POSIX shell reads.
package enum ShellText {
  /// Returns a text as one word that the shell takes literally.
  ///
  /// Between apostrophes only the apostrophe itself is special; it is written outside of them, after a backslash. D-Bus match
  /// rules are quoted in the same way.
  ///
  /// Source: POSIX.1-2024, Shell Command Language, section 2.2.2; D-Bus Specification, "Match Rules".
  package static func quoted(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "'")]
    for byte in text.utf8 {
      if byte == UInt8(ascii: "'") { bytes += "'\\''".utf8 } else { bytes.append(byte) }
    }
    bytes.append(UInt8(ascii: "'"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a text as one word, quoted only if it contains anything but letters, digits and `-_./:=@,+%`.
  package static func word(_ text: some StringProtocol) -> String {
    let isPlain = text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_./:=@,+%".utf8.contains($0) }
    return isPlain && !text.isEmpty ? String(text) : quoted(text)
  }

  /// Returns a line that gives a variable a value, for `eval`. NULs are left out: no variable can hold them.
  package static func assignment(_ variable: ShellVariable, _ value: String) -> String {
    let value = value.utf8.contains(0) ? String(decoding: value.utf8.filter { $0 != 0 }, as: UTF8.self) : value
    return "\(variable.name)=\(quoted(value))\n"
  }
}
