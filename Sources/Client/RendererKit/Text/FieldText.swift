import CoordinatorKit
import Languages
import Platform

/// Converts between the text typed for a field and the value that its schema requires.
public enum FieldText {
  /// Converts text to a value of the schema's type.
  ///
  /// Text that does not represent a value of that type is returned as a string; the daemon's error names the field and
  /// the reason.
  ///
  /// - Parameters:
  ///   - text: text that was typed.
  ///   - schema: schema of the field.
  /// - Returns: an integer, a number, a Boolean or a choice if the schema requires one and the text represents one;
  ///   otherwise a string. For an entry of a list, an object, see ``EntryText``. For a list, a list of that one value.
  public static func value(of text: String, in schema: Schema) -> JSONValue {
    switch schema.rule {
    case .text: return .string(text)
    case .object: return EntryText.value(of: text, in: schema)
    case .integer: return Int64(DecimalNumber.plain(text)).map(JSONValue.integer) ?? .string(text)
    case .number:
      let plain = DecimalNumber.plain(text)
      // A double cannot represent all digits of a large number.
      if let whole = Int64(plain) { return .integer(whole) }
      guard plain.utf8.allSatisfy({ $0.isASCIIDigit || ".-+eE".utf8.contains($0) }), let number = Double(plain), number.isFinite
      else { return .string(text) }
      return JSONValue(number)
    case .boolean:
      switch text {
      case "true": return true
      case "false": return false
      default: return .string(text)
      }
    case .choice(let choices):
      return choices.first { $0.value.string?.bytes.equals(text) == true }?.value
        ?? choices.first { $0.value.plainText.bytes.equals(text) }?.value ?? .string(text)
    case .list(let rule): return .array([value(of: text, in: rule.items)])
    }
  }

  /// Returns the value as text for users; for a choice, its title.
  public static func text(of value: JSONValue, in schema: Schema) -> String {
    switch (schema.rule, value) {
    case (.choice(let choices), _): choices.first { $0.value == value }.map(title(of:)) ?? value.plainText
    case (.boolean, .boolean(let boolean)): YesOrNo.word(for: boolean)
    case (.number, .number): DecimalNumber.text(of: value.canonicalText)
    case (.object, .object): EntryText.text(of: value, in: schema).printable
    case (.list(let rule), .array(let elements)) where !rule.items.fields.isEmpty:
      elements.map { text(of: $0, in: rule.items) }.joined(separator: "; ")
    case (.list(let rule), .array(let elements)):
      elements.map { text(of: $0, in: rule.items) }.joined(separator: ", ")
    default: value.plainText
    }
  }

  /// Returns whether the field's text may exceed 250 characters and needs more than one line.
  package static func isLong(_ schema: Schema) -> Bool {
    guard case .text(let rule) = schema.rule, rule.format == nil, !schema.isSecret else { return false }
    return schema.isMultiline || (rule.length.upper?.value ?? 0) > 250
  }

  /// Returns the title of a choice, or its value if it has none.
  package static func title(of choice: Schema.Choice) -> String { (choice.title ?? choice.value.plainText).printable }
}

extension FieldText {
  /// Returns the type of value that a schema requires, as a placeholder for a command line.
  package static func kind(of schema: Schema) -> String {
    switch schema.rule {
    case .text: schema.isSecret ? "SECRET" : "TEXT"
    case .integer: "INTEGER"
    case .number: "NUMBER"
    case .boolean: "true|false"
    case .choice(let choices): choices.map(\.value.plainText).joined(separator: "|")
    case .list(let rule): kind(of: rule.items) + "..."
    case .object(let fields):
      "'" + fields.map { "\($0.name)=\(kind(of: $0.schema))" }.joined(separator: " ") + "'"
    }
  }
}
