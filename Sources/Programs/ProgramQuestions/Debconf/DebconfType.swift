/// What a question of debconf asks for; the raw values are its words.
package enum DebconfType: String, Sendable, Hashable {
  case string, boolean, select, multiselect, password, note, text, error, title
  /// A type that is not known: what it says is shown, and nothing is asked.
  case unknown

  /// Whether there is nothing to enter.
  package var isShownOnly: Bool {
    switch self {
    case .note, .text, .error, .title, .unknown: true
    case .string, .boolean, .select, .multiselect, .password: false
    }
  }
}
