import Forms

/// A field of a form that another program fills with its texts.
package struct ForeignField: Sendable, Hashable {
  /// What can be entered.
  package enum Kind: Sendable, Hashable {
    case text, secret, boolean
    /// One of several, or any number of them.
    case choice([ForeignChoice], severalAllowed: Bool)
  }

  /// The key in the payload.
  package let name: String
  /// What can be entered.
  package let kind: Kind
  private let title: String
  private let summary: String
  /// The value to fill in; never one of a secret.
  package let value: JSONValue?

  /// Creates a field.
  package init(_ name: String, _ kind: Kind, title: String, summary: String = "", value: JSONValue? = nil) {
    (self.name, self.kind) = (name, kind)
    let title = ForeignText(title).line
    self.title = title.isEmpty ? ForeignText(name).line : title
    self.summary = ForeignText(summary).text
    self.value = kind == .secret ? nil : value
  }

  /// Whether the form cannot be sent without it: texts may be empty.
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
