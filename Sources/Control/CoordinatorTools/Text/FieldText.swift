import CoordinatorKit

/// Between what a person types for a field and the value that its schema asks for.
public enum FieldText {
  /// The value of a text, typed as the schema asks for.
  ///
  /// A text that is no value of that type is passed on as it is: the daemon names the field and the reason better.
  ///
  /// - Parameters:
  ///   - text: What was typed.
  ///   - schema: The schema of the field.
  /// - Returns: An integer, a number, a boolean or a choice if the schema asks for one and the text is one; else the text.
  ///   For a list, a list of that one value.
  public static func value(of text: String, in schema: Schema) -> JSONValue {
    switch schema.rule {
    case .text, .object: return .string(text)
    case .integer: return Int64(text).map(JSONValue.integer) ?? .string(text)
    case .number:
      guard let number = Double(text), number.isFinite else { return .string(text) }
      return JSONValue(number)
    case .boolean:
      switch text {
      case "true": return true
      case "false": return false
      default: return .string(text)
      }
    case .choice(let choices):
      return choices.first { $0.value.string == text }?.value ?? choices.first { $0.value.plainText == text }?.value
        ?? .string(text)
    case .list(let rule): return .array([value(of: text, in: rule.items)])
    }
  }

  /// The value as a person reads it: of a choice its title.
  public static func text(of value: JSONValue, in schema: Schema) -> String {
    switch (schema.rule, value) {
    case (.choice(let choices), _): choices.first { $0.value == value }.map(title(of:)) ?? value.plainText
    case (.boolean, .boolean(let boolean)): boolean ? "yes" : "no"
    case (.list(let rule), .array(let elements)):
      elements.map { text(of: $0, in: rule.items) }.joined(separator: ", ")
    default: value.plainText
    }
  }

  /// Whether a text may be so long that one line is too little for it.
  package static func isLong(_ schema: Schema) -> Bool {
    guard case .text(let rule) = schema.rule, rule.format == nil, !schema.isSecret else { return false }
    return (rule.length.upper?.value ?? 0) > 250
  }

  /// What a person reads for a choice.
  package static func title(of choice: Schema.Choice) -> String { (choice.title ?? choice.value.plainText).printable }
}

extension FieldText {
  /// The kind of value that a schema asks for, in a word for a command line.
  static func kind(of schema: Schema) -> String {
    switch schema.rule {
    case .text: schema.isSecret ? "SECRET" : "TEXT"
    case .integer: "INTEGER"
    case .number: "NUMBER"
    case .boolean: "true|false"
    case .choice(let choices): choices.map(\.value.plainText).joined(separator: "|")
    case .list(let rule): kind(of: rule.items) + "..."
    case .object: "OBJECT"
    }
  }
}
