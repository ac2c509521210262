import CoordinatorKit

/// Writes texts so that every reader of YAML, of version 1.1 or 1.2, takes them for the same texts.
enum YAMLText {
  /// A text as a key or a value: as it is if nobody can take it for anything else, else in quotation marks.
  static func scalar(_ text: String) -> String {
    isPlain(text) ? text : quoted(text)
  }

  /// A line of a comment: whatever would end it, or may not stand there, is replaced.
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

  /// What YAML 1.1 takes for true, false or nothing.
  private static let words: Set = ["y", "yes", "n", "no", "true", "false", "on", "off", "null"]

  /// What is a text in JSON is one in YAML; what JSON allows and YAML does not is escaped.
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
