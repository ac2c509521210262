/// The answers of one run of a program, by question: debconf asks some questions twice, before and while a package is
/// configured, and again after Back (trap T11).
///
/// Answers are proposed again, but never given without the user. Passwords are not stored.
package struct DebconfMemory: Sendable, Hashable {
  private struct Key: Sendable, Hashable {
    let tag: String
    let ordinal: Int
    let type: DebconfType
    let summary: String
    let details: String

    init(_ question: DebconfQuestion) {
      (tag, ordinal, type) = (question.tag, question.ordinal, question.type)
      (summary, details) = (question.summary, question.details)
    }
  }

  private var values: [Key: String] = [:]

  /// Creates a memory without answers.
  package init() {}

  /// The last answer to a question, as debconf read it; nil if there is none.
  package func value(for question: DebconfQuestion) -> String? { values[Key(question)] }

  mutating func remember(_ values: [DebconfValue], for block: DebconfBlock) {
    for (question, value) in zip(block.questions, values) where question.type != .password && !question.type.isShownOnly {
      self.values[Key(question)] = String(decoding: value.bytes, as: UTF8.self)
    }
  }
}
