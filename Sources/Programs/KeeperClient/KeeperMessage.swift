import Forms

/// A message of a keeper; see Docs/program-protocol.md.
enum KeeperMessage: Sendable, Hashable {
  case hello
  case progress(ProgramProgress)
  /// The reply to a watch.
  case news(ProgramNews)
  /// The reply to an answer.
  case answered(AnswerOutcome)
  /// The reason why a request is invalid. Sending it again fails again.
  case misunderstood(String)
  /// Any other message, which a later version may send.
  case other

  /// Reads a message; returns nil if it is not one.
  init?(_ json: JSONValue) {
    guard let object = json.object else { return nil }
    if let outcome = AnswerOutcome(object) {
      self = .answered(outcome)
    } else if object["sequence"] != nil, object["protocol"] == nil {
      guard let news = ProgramNews(object) else { return nil }
      self = .news(news)
    } else if let progress = object["progress"]?.object {
      self = .progress(ProgramProgress(progress))
    } else if let error = object["error"]?.string {
      self = .misunderstood(error)
    } else {
      self = object["protocol"] != nil ? .hello : .other
    }
  }
}
