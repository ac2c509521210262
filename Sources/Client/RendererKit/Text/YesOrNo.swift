import CoordinatorKit

/// The words for yes and no, and what is typed for them.
package enum YesOrNo {
  /// The word for a value.
  package static func word(for value: Bool) -> String { value ? Text("yes").string : Text("no").string }

  /// The letter for yes, in lower case.
  package static var yes: String {
    // TRANSLATORS: The first letter of "yes", which users type.
    Text("y", context: "letter for yes").string
  }

  /// The letter for no, in lower case.
  package static var no: String {
    // TRANSLATORS: The first letter of "no", which users type.
    Text("n", context: "letter for no").string
  }

  /// The note in a prompt that names both letters, of which the one in upper case is meant by an empty line.
  ///
  /// - Parameter isNoByDefault: whether an empty line means no.
  /// - Returns: the note, such as "(y/n)".
  package static func choice(isNoByDefault: Bool = false) -> String {
    Text("({yes}/{no})", ["yes": yes, "no": isNoByDefault ? no.uppercased() : no]).string
  }

  /// Returns what was typed: a letter or a word of the current language, or of English, in any case.
  ///
  /// - Parameter line: the line.
  /// - Returns: the value; nil if it is something else.
  package static func value(of line: String) -> Bool? {
    switch line.lowercased() {
    case yes, word(for: true).lowercased(): true
    case no, word(for: false).lowercased(): false
    case "y", "yes", "true": true
    case "n", "no", "false": false
    default: nil
    }
  }
}
