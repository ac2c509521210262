/// What a file of `debconf-set-selections` does not answer.
package struct MissingSelections: Error, Sendable, Hashable, CustomStringConvertible {
  /// A question without an answer.
  package struct Question: Sendable, Hashable {
    package let owner: String
    package let question: String
    package let type: DebconfType
  }

  /// The questions without a suitable answer.
  package let questions: [Question]

  /// Says which lines to add.
  package var description: String {
    let lines = questions.map { question in
      let owner = question.owner.isEmpty ? "unknown" : question.owner
      return question.type == .error
        ? "an error is shown: \(question.question)"
        : "add: \(owner) \(question.question) \(question.type.rawValue) VALUE"
    }
    return lines.map { ForeignText($0).line }.joined(separator: "\n")
  }
}
