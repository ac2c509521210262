import Forms

/// A field of a form whose texts come from another program.
package struct ForeignField: Sendable, Hashable {
  /// The kind of value that a field takes.
  package enum Kind: Sendable, Hashable {
    case text, secret, boolean
    /// One choice, or any number of them.
    case choice([ForeignChoice], severalAllowed: Bool)
  }

  /// The key in the payload.
  package let name: String
  /// The kind of value that the field takes.
  package let kind: Kind
  private let title: String
  private let summary: String
  /// The initial value; never that of a secret.
  package let value: JSONValue?

  /// Creates a field.
  package init(_ name: String, _ kind: Kind, title: String, summary: String = "", value: JSONValue? = nil) {
    (self.name, self.kind) = (name, kind)
    let title = ForeignText(title).line
    self.title = title.isEmpty ? ForeignText(name).line : title
    self.summary = ForeignText(summary).text
    self.value = kind == .secret ? nil : value
  }

  /// The field of the form, which cannot be sent without a choice: texts may be empty.
  var field: Field {
    let title = Text(verbatim: title)
    let summary = summary.isEmpty ? nil : Text(verbatim: summary)
    switch kind {
    case .text: return Field(name, .string(title: title, summary: summary)).optional
    case .secret: return Field(name, .secret(title: title, summary: summary)).optional
    case .boolean: return Field(name, .boolean(title: title, summary: summary)).optional
    case .choice(let choices, severalAllowed: false):
      return Field(name, .choice(title: title, summary: summary, of: choices.map(\.constant)))
    case .choice(let choices, severalAllowed: true):
      let rows = Schema(.choice(choices.map(\.constant)))
      return Field(name, .array(of: rows, title: title, summary: summary, isUnique: true)).optional
    }
  }
}
