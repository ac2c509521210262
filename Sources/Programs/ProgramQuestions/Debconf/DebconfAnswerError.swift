/// The reason why debconf cannot take an answer. The block stays open.
package enum DebconfAnswerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The block with this id is not open: it has been answered, or has not been asked yet.
  case notOpen(id: Int)
  /// The package cannot go back.
  case cannotGoBack
  /// The screen offers no such event.
  case unknownEvent(String)
  /// The value of the field is missing, is of another type, or is not among the choices.
  case unsuitable(field: String)

  package var description: String {
    switch self {
    case .notOpen(let id): "debconf does not wait for an answer to block \(id)"
    case .cannotGoBack: "this package cannot go back"
    case .unknownEvent(let event): "the screen does not offer '\(ForeignText(event).line)'"
    case .unsuitable(let field): "the value of '\(ForeignText(field).line)' is missing or not among the choices"
    }
  }
}
