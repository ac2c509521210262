import Forms

/// The new state of a program.
package enum ProgramNews: Sendable, Hashable, Codable {
  case asking(AskedQuestion, sequence: UInt64)
  case working(sequence: UInt64)
  case ended(ProgramEnd)

  /// Reads the reply to a watch; returns nil if it is not one.
  init?(_ reply: [String: JSONValue]) {
    guard let number = reply["sequence"]?.integer, let sequence = UInt64(exactly: number) else { return nil }
    if let question = reply["question"]?.object {
      guard let asked = AskedQuestion(question) else { return nil }
      self = .asking(asked, sequence: sequence)
    } else if reply["working"] != nil {
      self = .working(sequence: sequence)
    } else if let ending = reply["ended"]?.object {
      self = .ended(
        ProgramEnd(
          ending, lines: reply["lines"]?.array?.compactMap(\.string) ?? [],
          isCut: reply["cut"]?.boolean, troubles: reply["troubles"]?.array?.compactMap(\.string)))
    } else {
      return nil
    }
  }
}
