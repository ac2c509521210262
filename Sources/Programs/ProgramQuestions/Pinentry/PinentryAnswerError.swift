/// The reason why a pinentry cannot take an answer. The question stays open.
package enum PinentryAnswerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No question with this id is open.
  case notOpen(id: Int)
  /// The screen offers no such event.
  case unknownEvent(String)

  package var description: String {
    switch self {
    case .notOpen(let id): "pinentry does not wait for an answer to question \(id)"
    case .unknownEvent(let event): "the screen does not offer '\(ForeignText(event).line)'"
    }
  }
}
