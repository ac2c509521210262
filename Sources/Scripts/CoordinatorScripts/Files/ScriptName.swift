/// The names of scripts.
enum ScriptName {
  /// Returns whether a text names a flow: letters, digits, `-` and `_`, of which a letter or digit is the first.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= 64 else { return false }
    return isLetterOrDigit(first)
      && text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
  }

  /// Returns the name of the flow of a file: without `.sh` or `.py`; nil if it cannot be one.
  static func flow(ofFile file: String) -> String? {
    var name = file[...]
    for suffix in [".sh", ".py"] where name.hasSuffix(suffix) { name = name.dropLast(suffix.count) }
    return isName(String(name)) ? String(name) : nil
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
