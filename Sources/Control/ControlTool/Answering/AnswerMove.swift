import CoordinatorAnswers
import CoordinatorKit
import RendererKit

/// The step that an answers file yields for a screen, ready to be sent.
package enum AnswerMove: Sendable, Hashable {
  /// A field whose value is read later.
  package struct Reference: Sendable, Hashable {
    package var field: Field
    package var source: SecretReference
  }

  /// Delegate an event. The referenced fields are read at the last moment and added to its payload.
  case delegate(Delegation, references: [Reference])
  /// Go back from a screen.
  case back(screen: UInt64)
  /// End the flow tree.
  case dismiss

  /// Whether the move selects an item of a list.
  var isSelection: Bool { if case .delegate(let delegation, _) = self { delegation.event == Event.select } else { false } }
}

/// The reason why an answer does not yield a move.
enum AnswerProblem: Error, Sendable, Hashable {
  /// These required fields have no value.
  case missing(fields: [String])
  /// The answer, or its value for `field`, does not fit this screen.
  case wrong(field: String?, String)
  /// The selected item is not in the list, but may still be added to it.
  case absent(item: String)
}
