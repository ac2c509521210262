import CoordinatorKit

/// The hints of a schema about a field beyond its rules, in words for users.
extension FieldText {
  /// Returns the title of a field, with its unit.
  package static func title(of field: Field) -> String {
    let title = (field.schema.title ?? field.name).printable
    return field.schema.unit.map { "\(title) (\($0.printable))" } ?? title
  }

  /// Returns the explanation of a field: its summary, an example, and the format of entries. One string for each line.
  ///
  /// - Parameters:
  ///   - schema: schema of the field.
  ///   - hasExample: whether to include the example, which some controls show themselves.
  /// - Returns: the lines.
  package static func help(for schema: Schema, hasExample: Bool = true) -> [String] {
    var lines: [String] = []
    if let summary = schema.summary?.printable, !summary.isEmpty { lines.append(summary) }
    if hasExample, let example = example(of: schema) { lines.append(Text("Such as {example}.", ["example": example]).string) }
    if let entry = entrySchema(of: schema) {
      let sample = EntryText.sample(of: entry).printable
      lines.append(Text("One entry per line, such as {entry}, or a JSON object.", ["entry": sample]).string)
    }
    return lines
  }

  /// Returns the first example of a value as it is typed; nil if there is none.
  package static func example(of schema: Schema) -> String? {
    guard !schema.isSecret, let example = schema.examples.first else { return nil }
    let text = text(of: example, in: schema).printable
    return text.isEmpty ? nil : text
  }

  /// Returns the schema of the entries if a field is a list of small objects; otherwise nil.
  package static func entrySchema(of schema: Schema) -> Schema? {
    guard case .list(let rule) = schema.rule, case .object = rule.items.rule else { return nil }
    return rule.items
  }

  /// Returns whether the text of a field consists of several lines that belong together: a text of several lines, or a list of
  /// small objects.
  package static func hasLines(_ schema: Schema) -> Bool { schema.isMultiline || entrySchema(of: schema) != nil }

  /// Returns the explanation of a choice; nil if there is none.
  package static func summary(of choice: Schema.Choice) -> String? {
    guard let text = choice.annotations["description"]?.string?.printable, !text.isEmpty else { return nil }
    return text
  }

  /// Returns the condition under which a field is shown, such as "only if Security is WPA or WEP"; nil if it is always shown.
  ///
  /// - Parameters:
  ///   - field: field of a form.
  ///   - fields: fields of the form.
  /// - Returns: the words.
  package static func condition(of field: Field, among fields: [Field]) -> String? {
    conditions(of: field, among: fields).map { Text("only if {condition}", ["condition": $0]).string }
  }

  /// Returns the condition under which a field is shown, like ``condition(of:among:)``, as a sentence.
  package static func conditionSentence(of field: Field, among fields: [Field]) -> String? {
    conditions(of: field, among: fields).map { Text("Only if {condition}.", ["condition": $0]).string }
  }

  private static func conditions(of field: Field, among fields: [Field]) -> Text? {
    let parts = field.conditions.map { condition in
      let other = fields.first { $0.name == condition.field }
      let values = condition.values.map { value in
        Text(verbatim: (other.map { text(of: value, in: $0.schema) } ?? value.plainText).printable)
      }
      // TRANSLATORS: A condition, such as "Security is WPA or WEP".
      return Text(
        "{field} is {value}",
        [
          "field": (other?.schema.title ?? condition.field).printable,
          // TRANSLATORS: Two of several values.
          "value": joined(values) { Text("{first} or {second}", ["first": $0, "second": $1]) } ?? Text(verbatim: ""),
        ], context: "condition")
    }
    // TRANSLATORS: Two of several conditions.
    return joined(parts) { Text("{first} and {second}", ["first": $0, "second": $1]) }
  }

  private static func joined(_ texts: [Text], _ pair: (Text, Text) -> Text) -> Text? {
    texts.first.map { texts.dropFirst().reduce($0, pair) }
  }
}
