import Forms

/// What a keeper says to an answer.
package enum AnswerOutcome: Sendable, Hashable, Codable {
  /// The program gets it, or has got it before.
  case taken
  /// The question is not open any more.
  case stale
  /// The question stays open.
  case refused(String)

  /// Reads a reply; nil if it is another one.
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
