import Platform

/// The names of scripts.
enum ScriptName {
  /// Returns whether a text names a flow: letters, digits, `-` and `_`, of which a letter or digit is the first.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= 64 else { return false }
    return isLetterOrDigit(first) && text.utf8.allSatisfy { isLetterOrDigit($0) || "-_".utf8.contains($0) }
  }

  /// Returns the name of the flow of a file: without `.sh` or `.py`; nil if it cannot be one.
  static func flow(ofFile file: String) -> String? {
    var name = file[...]
    for suffix in [".sh", ".py"] { name = name.bytes.dropping(suffix: suffix) ?? name }
    return isName(String(name)) ? String(name) : nil
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte.isASCIIDigit }
}
