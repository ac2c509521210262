import Forms
import Platform

/// The questions that debconf wants to have answered together: one screen.
package struct DebconfBlock: Sendable, Hashable {
  /// The number of the block in its connection, counted from 1; a block that is asked again after Back gets a new number.
  package let id: Int
  /// The package that is being configured; empty if debconf has not named it.
  package let section: String
  /// The title that the package has set, such as "Configuring tzdata".
  package let title: String
  /// The questions in the order in which they are answered; at least one.
  package let questions: [DebconfQuestion]
  /// Whether the package can go back to the previous block.
  package let allowsBack: Bool

  /// The name of the screen, which answers files use: the tag of the first question that asks for a value, after the section
  /// unless the tag begins with the section.
  package var name: String {
    let tag = (questions.first { !$0.type.isShownOnly } ?? questions.first)?.tag ?? ""
    return section.isEmpty || tag.bytes.hasPrefix(section + "/") ? tag : "\(section)/\(tag)"
  }

  /// Whether all questions are notes or similar, so that any answer is valid.
  package var isShownOnly: Bool { questions.allSatisfy(\.type.isShownOnly) }

  /// The question as a screen.
  package var question: ProgramQuestion { ProgramQuestion(screen: screen, allowsBack: allowsBack) }

  /// The question of a block that needs no form; nil if there are several questions, or the only one takes text.
  var only: DebconfQuestion? {
    guard questions.count == 1, let question = questions.first else { return nil }
    switch question.type {
    case .string, .password: return nil
    case .select: return question.choices.isEmpty ? nil : question
    case .boolean, .multiselect, .note, .text, .error, .title, .unknown: return question
    }
  }
}
