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

  /// Whether the form cannot be sent without a value. Texts may be empty.
  var isRequired: Bool { if case .choice(_, severalAllowed: false) = kind { true } else { false } }

  /// The schema of the value.
  var schema: JSONValue {
    var schema: [String: JSONValue] = ["title": .string(title)]
    if !summary.isEmpty { schema["description"] = .string(summary) }
    switch kind {
    case .text: schema["type"] = "string"
    case .secret:
      schema["type"] = "string"
      schema["format"] = "password"
      schema["writeOnly"] = true
    case .boolean: schema["type"] = "boolean"
    case .choice(let choices, let severalAllowed):
      let choice: [String: JSONValue] = ["type": "string", "oneOf": .array(choices.map(\.constant))]
      if severalAllowed {
        schema["type"] = "array"
        schema["items"] = .object(choice)
        schema["uniqueItems"] = true
      } else {
        schema.merge(choice) { $1 }
      }
    }
    return .object(schema)
  }
}
