/// Writes strings such that every parser of YAML 1.1 or 1.2 reads them as the same strings.
package enum YAMLText {
  /// Returns a string as a key or a value: plain if it is unambiguous, otherwise quoted.
  package static func scalar(_ text: String) -> String {
    isPlain(text) ? text : quoted(text)
  }

  /// Returns a line as a comment. Characters that would end the comment, or are not printable, are replaced by spaces.
  package static func comment(_ text: String) -> String {
    var result = "# "
    for scalar in text.unicodeScalars { result.unicodeScalars.append(isPrintable(scalar) ? scalar : " ") }
    return result
  }

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first.properties.isAlphabetic, text.utf8.count <= 80 else { return false }
    let harmless = text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-" || scalar == "_"
    }
    return harmless && !words.contains(text.bytes.lowercased)
  }

  /// The words that YAML 1.1 resolves to a Boolean or null.
  private static let words: Set = ["y", "yes", "n", "no", "true", "false", "on", "off", "null"]

  /// Returns a quoted string in which all unprintable characters are escaped.
  ///
  /// Source: YAML 1.1, section 5.6, and YAML 1.2, section 5.7.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _ where isPrintable(scalar): result.unicodeScalars.append(scalar)
      case "\0"..."\u{FF}": result += "\\x" + padded(scalar, to: 2)
      default: result += "\\U" + padded(scalar, to: 8)
      }
    }
    return result + "\""
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }

  private static func padded(_ scalar: Unicode.Scalar, to length: Int) -> String {
    let digits = String(scalar.value, radix: 16)
    return String(repeating: "0", count: length - digits.utf8.count) + digits
  }
}
