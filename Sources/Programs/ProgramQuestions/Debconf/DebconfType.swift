/// The type of a question of debconf; the raw values are debconf's words.
package enum DebconfType: String, Sendable, Hashable {
  case string, boolean, select, multiselect, password, note, text, error, title
  /// An unknown type: its texts are shown, and no value is asked for.
  case unknown

  /// Whether the question takes no value.
  package var isShownOnly: Bool {
    switch self {
    case .note, .text, .error, .title, .unknown: true
    case .string, .boolean, .select, .multiselect, .password: false
    }
  }
}
