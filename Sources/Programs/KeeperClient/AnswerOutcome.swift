import Forms

/// The reply of a keeper to an answer.
package enum AnswerOutcome: Sendable, Hashable, Codable {
  /// The program receives the answer, or has received it before.
  case taken
  /// The question is no longer open.
  case stale
  /// The keeper refuses the answer, with the reason; the question stays open.
  case refused(String)

  /// Reads a reply; returns nil if it is not a reply to an answer.
  init?(_ reply: [String: JSONValue]) {
    if reply["taken"] != nil {
      self = .taken
    } else if reply["stale"] != nil {
      self = .stale
    } else if reply["refused"] != nil {
      self = .refused(reply["reason"]?.string ?? "")
    } else {
      return nil
    }
  }
}
