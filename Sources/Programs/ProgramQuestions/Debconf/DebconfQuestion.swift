import Platform

/// A question of debconf, as its lines describe it.
package struct DebconfQuestion: Sendable, Hashable {
  /// The name of the template: several questions of one block may have the same (trap T2).
  package let tag: String
  /// The type of the answer.
  package internal(set) var type = DebconfType.unknown
  /// The importance of the question.
  package internal(set) var priority = DebconfPriority.high
  /// The short description, in one line.
  package internal(set) var summary = ""
  /// The extended description.
  package internal(set) var details = ""
  /// The choices as users see them.
  package internal(set) var choices: [String] = []
  /// The choices in the language C, if the peer sends them: debconf then reads these as the answer.
  var plainChoices: [String] = []
  /// The value that debconf proposes; nil if it is empty, or a password.
  var proposal: String?
  /// The password that was set before. It is neither shown nor stored.
  var presentPassword: HiddenBytes?
  /// The answer to the same question earlier in this run (trap T11); never a password.
  var recalled: String?
  /// The place among the questions of the block with the same tag, counted from 1.
  package internal(set) var ordinal = 1

  init(tag: String) { self.tag = tag }

  /// The name of its field: the tag, followed by a number if an earlier question has the same tag.
  package var field: String { ordinal == 1 ? tag : "\(tag)#\(ordinal)" }

  /// The initial value: the last answer in this run, otherwise the value that debconf proposes.
  var initial: String? { recalled ?? proposal }

  /// The choices with their ids.
  var options: [ForeignChoice] {
    let values = plainChoices.count == choices.count ? plainChoices : choices
    return ForeignChoice.list(
      zip(choices, values).map { ($0, $1) },
      disabled: { value in
        type == .multiselect && !DebconfChoices.isAnswerable(value)
          ? "debconf cannot read this choice, because there is a comma in it" : nil
      })
  }

  /// The ids of the initial choices.
  var initialOptions: [String] {
    guard let initial else { return [] }
    let options = options
    if type == .select { return options.first { $0.value == initial }.map { [$0.id] } ?? [] }
    let selected = DebconfChoices.selected(in: initial, of: options.map(\.value))
    return options.filter { $0.disabled == nil && selected.contains($0.value) }.map(\.id)
  }

  /// Whether an empty field keeps a password that was set before, as in debconf's own frontends.
  var keepsPassword: Bool { presentPassword?.bytes.isEmpty == false }

  /// Hides the proposed value if it is a password.
  mutating func hidePassword() {
    guard type == .password, let proposal else { return }
    (presentPassword, self.proposal) = (HiddenBytes(bytes: Array(proposal.utf8)), nil)
  }

  /// Takes a line of `DATA`.
  mutating func take(field: String, text: String) {
    switch field {
    case "type": type = DebconfType(rawValue: text) ?? .unknown
    case "description": summary = Self.unescaped(text)
    case "extended_description": details = Self.unescaped(text)
    case "choices": choices = DebconfChoices.split(Self.unescaped(text))
    case "choices-c": plainChoices = DebconfChoices.split(Self.unescaped(text))
    default: break
    }
  }

  /// Returns a text with its line breaks, which are the only characters that debconf escapes: a literal backslash followed by
  /// "n" cannot be distinguished from an escape.
  private static func unescaped(_ text: String) -> String {
    text.bytes.replacing("\\n", with: "\n")
  }
}
