import Forms

/// What a keeper says; see Docs/program-protocol.md.
enum KeeperMessage: Sendable, Hashable {
  case hello
  case progress(ProgramProgress)
  /// The answer to a watch.
  case news(ProgramNews)
  /// The answer to an answer.
  case answered(AnswerOutcome)
  /// What was wrong with a request. It would be wrong again.
  case misunderstood(String)
  /// Anything else, which a later version may say.
  case other

  /// Reads a message; nil if it is not one.
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
