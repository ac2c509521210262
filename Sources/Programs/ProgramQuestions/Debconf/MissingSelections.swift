/// The questions that a file of `debconf-set-selections` does not answer.
package struct MissingSelections: Error, Sendable, Hashable, CustomStringConvertible {
  /// A question without an answer.
  package struct Question: Sendable, Hashable {
    package let owner: String
    package let question: String
    package let type: DebconfType
    /// The choices, if the file has a value that is not among them.
    package let choices: [String]

    init(_ question: DebconfQuestion, owner: String, choices: [String] = []) {
      (self.owner, self.question, type, self.choices) = (owner, question.tag, question.type, choices)
    }
  }

  /// The questions without a suitable answer.
  package let questions: [Question]

  /// A message with the lines to add.
  package var description: String {
    questions.map(\.sentence).map { ForeignText($0).line }.joined(separator: "\n")
  }
}

extension MissingSelections.Question {
  fileprivate var sentence: String {
    if type == .error { return "an error is shown: \(question)" }
    let line = "\(owner.isEmpty ? "unknown" : owner) \(question) \(type.rawValue)"
    return choices.isEmpty
      ? "add: \(line) VALUE" : "the value of '\(line)' is not one of these: \(choices.joined(separator: "; "))"
  }
}
