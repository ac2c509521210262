import CoordinatorKit

/// Writes strings such that every parser of YAML 1.1 or 1.2 reads them as the same strings.
enum YAMLText {
  /// Returns a string as a key or a value: plain if it is unambiguous, otherwise quoted.
  static func scalar(_ text: String) -> String {
    isPlain(text) ? text : quoted(text)
  }

  /// Returns a line as a comment. Characters that would end the comment, or are not printable, are replaced by spaces.
  static func comment(_ text: String) -> String {
    var result = "# "
    for scalar in text.unicodeScalars { result.unicodeScalars.append(isPrintable(scalar) ? scalar : " ") }
    return result
  }

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first.properties.isAlphabetic, text.count <= 80 else { return false }
    let harmless = text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-" || scalar == "_"
    }
    return harmless && !words.contains(text.lowercased())
  }

  /// The words that YAML 1.1 resolves to a Boolean or null.
  private static let words: Set = ["y", "yes", "n", "no", "true", "false", "on", "off", "null"]

  /// Returns a quoted string. JSON strings are valid in YAML, except for some characters, which are escaped.
  private static func quoted(_ text: String) -> String {
    var result = ""
    for scalar in JSONValue.string(text).canonicalText.unicodeScalars {
      if isPrintable(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\U" + padded(String(scalar.value, radix: 16))
      }
    }
    return result
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }

  private static func padded(_ digits: String) -> String { String(repeating: "0", count: 8 - digits.count) + digits }
}
