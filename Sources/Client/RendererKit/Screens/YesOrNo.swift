import Languages

/// The words that answer a question with yes or no, in English and in the language of the screen.
package enum YesOrNo {
  /// The two letters between which a user chooses: "y/n".
  package static var letters: String {
    // TRANSLATORS: The letters of yes and no, as a user may type them. The first one must be the one translated as "y"
    // below, the second one that of "n".
    Text("y/n").string
  }

  /// The same where an empty line means no: "y/N".
  package static var lettersWithNo: String {
    // TRANSLATORS: The letters of yes and no. No is in upper case, because an empty line means no.
    Text("y/N").string
  }

  /// Returns the word for a value.
  package static func word(for value: Bool) -> String { value ? Text("yes").string : Text("no").string }

  /// The letter that means yes, as a key label.
  package static var key: String { Text("y", context: "yes").string.uppercased() }

  /// Returns the answer that a line gives; nil if it is neither yes nor no.
  package static func value(of line: String) -> Bool? {
    let line = line.lowercased()
    // TRANSLATORS: The letter and the word that mean yes, in lower case.
    if ["y", "yes", Text("y", context: "yes").string, Text("yes", context: "typed").string].contains(line) { return true }
    // TRANSLATORS: The letter and the word that mean no, in lower case.
    if ["n", "no", Text("n", context: "no").string, Text("no", context: "typed").string].contains(line) { return false }
    return nil
  }
}
