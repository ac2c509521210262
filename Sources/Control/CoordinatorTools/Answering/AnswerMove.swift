import CoordinatorAnswers
import CoordinatorKit

/// What an answers file makes of a screen, ready to be sent.
enum AnswerMove: Sendable, Hashable {
  /// A field whose value is still to be read.
  struct Reference: Sendable, Hashable {
    var field: Field
    var source: SecretReference
  }

  /// An event, and the fields of its payload that are read at the last moment.
  case delegate(Delegation, references: [Reference])
  /// Go back from a screen.
  case back(screen: UInt64)
  /// End the flow tree.
  case dismiss

  /// Whether it chooses an item of a list.
  var isSelection: Bool { if case .delegate(let delegation, _) = self { delegation.event == "select" } else { false } }
}

/// Why an answer does not become a move.
enum AnswerProblem: Error, Sendable, Hashable {
  /// These fields have to be filled in, and there is nothing for them.
  case missing(fields: [String])
  /// The answer, or what it says for a field, is not one for this screen.
  case wrong(field: String?, String)
  /// The item that the answer chooses is not in the list, where it may still come.
  case absent(item: String)
}
