import CoordinatorKit
import Languages
import Platform

/// Converts between the text typed for a field and the value that its schema requires.
public enum FieldText {
  /// Converts text to a value of the schema's type.
  ///
  /// Text that does not represent a value of that type, or a number of which digits would be lost, is returned as a string; the
  /// daemon's error names the field and the reason.
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
      if let whole = Int64(plain) { return .integer(whole) }
      guard DecimalNumber.fit(of: plain) == .exact, let number = Double(plain) else { return .string(text) }
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

  /// Converts an argument of a command line, like ``value(of:in:)``. An empty one is null, which is no value, unless the field
  /// is a text or has an empty choice.
  static func argument(_ text: String, in schema: Schema) -> JSONValue {
    let value = value(of: text, in: schema)
    switch schema.rule {
    case .text: return value
    case .choice(let choices) where choices.contains { $0.value == value }: return value
    default: return text.isEmpty ? .null : value
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

/// A part of a structured text with a uniform appearance, safe to write to a terminal.
package struct MarkupPiece: Sendable, Hashable {
  /// The meaning of a part.
  package enum Kind: Sendable, Hashable {
    case plain, strong
    /// Literal text to type or read; enclosed in marks, because not every terminal can display it in another style.
    case code
    /// The text of a link.
    case link
    /// The address of a link, in parentheses, after its text.
    case address
  }

  /// The text.
  package let text: String
  /// Its meaning.
  package let kind: Kind
  /// The destination of a link.
  package var link: String?
}

extension Markup.Block {
  /// The parts of a paragraph or of a bullet, in order. Line breaks become spaces.
  package var pieces: [MarkupPiece] { spans.flatMap(\.pieces).filter { !$0.text.isEmpty } }

  /// The lines of a verbatim block.
  package var verbatimLines: [String] { spans.map(\.text).joined().verbatimLines }
}

extension Markup.Span {
  fileprivate var pieces: [MarkupPiece] {
    let text = text.printable
    if let link {
      let scheme = "mailto:"
      let isMail = link.bytes.lowercased.bytes.hasPrefix(scheme)
      let address = String(isMail ? Substring(link.utf8.dropFirst(scheme.utf8.count)) : link[...]).printable
      let piece = MarkupPiece(text: text, kind: .link, link: link.printable)
      return address == text || link == self.text ? [piece] : [piece, MarkupPiece(text: " (\(address))", kind: .address)]
    }
    switch style {
    case .strong: return [MarkupPiece(text: text, kind: .strong)]
    case .code: return [MarkupPiece(text: text.isEmpty ? "" : "`\(text)`", kind: .code)]
    case nil: return [MarkupPiece(text: text, kind: .plain)]
    }
  }
}

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

/// Converts between the entries of a list of small objects and lines of text.
///
/// An entry is a line of assignments, such as `ip=192.0.2.1 label="my host"`, or a JSON object. In quotation marks, a
/// backslash precedes a quotation mark or a backslash.
package enum EntryText {
  /// Converts a line to an entry. A line that cannot be read is returned as a string, which no schema of an entry
  /// accepts.
  ///
  /// - Parameters:
  ///   - line: line that was typed.
  ///   - schema: schema of the entry, an object.
  /// - Returns: an object, unchecked; or a string.
  package static func value(of line: String, in schema: Schema) -> JSONValue {
    let line = line.trimmed
    if line.utf8.first == UInt8(ascii: "{") {
      let json = try? JSONValue(parsing: line.utf8)
      return json?.object == nil ? .string(line) : json ?? .string(line)
    }
    guard let pairs = pairs(in: line), !pairs.isEmpty else { return .string(line) }
    let fields = Dictionary(schema.fields.map { ($0.name, $0.schema) }, uniquingKeysWith: { first, _ in first })
    var members: [String: JSONValue] = [:]
    for (name, text) in pairs {
      guard members[name] == nil else { return .string(line) }
      members[name] = fields[name].map { FieldText.value(of: text, in: $0) } ?? .string(text)
    }
    return .object(members)
  }

  /// Returns the line for an entry: assignments if all names and values can be written that way, otherwise JSON. A value
  /// that is not an object is returned as it is.
  package static func text(of value: JSONValue, in schema: Schema) -> String {
    guard let members = value.object else { return value.string ?? value.canonicalText }
    let known = schema.fields.map(\.name).filter { members[$0] != nil }
    let names = known + members.keys.filter { !known.contains($0) }.sorted()
    var words: [String] = []
    for name in names {
      guard let value = members[name], !value.isNull else { continue }
      guard isPlain(name), let text = quoted(value) else { return JSONValue.object(members).canonicalText }
      words.append("\(name)=\(text)")
    }
    return words.isEmpty ? "{}" : words.joined(separator: " ")
  }

  /// Returns an example of a line, such as `ip=192.0.2.1 port=1`.
  package static func sample(of schema: Schema) -> String {
    let members = schema.fields.map { ($0.name, sample(ofField: $0.schema)) }
    return text(of: .object(Dictionary(members, uniquingKeysWith: { first, _ in first })), in: schema)
  }

  private static func sample(ofField schema: Schema) -> JSONValue {
    if let example = schema.examples.first ?? schema.defaultValue { return example }
    return switch schema.rule {
    case .text(let rule): .string(rule.format?.example ?? "text")
    case .integer(let bounds): .integer(bounds.lower?.value ?? 1)
    case .number(let bounds): JSONValue(bounds.lower?.value ?? 1)
    case .boolean: true
    case .choice(let choices): choices.first?.value ?? "text"
    case .list, .object: "text"
    }
  }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first != "{" else { return false }
    return !name.unicodeScalars.contains { $0.properties.isWhitespace || $0 == "=" }
  }

  /// Returns a value as it is written after `=`; nil if it must be written as JSON.
  private static func quoted(_ value: JSONValue) -> String? {
    guard value.array == nil, value.object == nil else { return nil }
    let text = value.string ?? value.canonicalText
    let scalars = text.unicodeScalars
    guard !scalars.contains(where: \.isLineBreak) else { return nil }
    guard scalars.isEmpty || scalars.first == "\"" || scalars.contains(where: \.properties.isWhitespace) else { return text }
    var quoted = "\""
    for scalar in scalars {
      if scalar == "\"" || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }

  /// Returns the names and values of a line of assignments; nil if it is not such a line.
  private static func pairs(in line: String) -> [(name: String, text: String)]? {
    var rest = line[...]
    var pairs: [(name: String, text: String)] = []
    while !rest.isEmpty {
      guard let (name, after) = rest.bytes.cut(at: "="), !name.isEmpty,
        !name.unicodeScalars.contains(where: \.properties.isWhitespace)
      else { return nil }
      rest = after
      guard let text = takeValue(from: &rest) else { return nil }
      pairs.append((String(name), text))
      rest = Substring(rest.unicodeScalars.drop(while: \.properties.isWhitespace))
    }
    return pairs
  }

  private static func takeValue(from rest: inout Substring) -> String? {
    var scalars = rest.unicodeScalars
    defer { rest = Substring(scalars) }
    guard scalars.first == "\"" else {
      let text = scalars.prefix { !$0.properties.isWhitespace }
      scalars = scalars[text.endIndex...]
      return String(text)
    }
    scalars.removeFirst()
    var text = String.UnicodeScalarView()
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\"": return scalars.first?.properties.isWhitespace == false ? nil : String(text)
      case "\\": if let next = scalars.popFirst() { text.append(next) }
      default: text.append(scalar)
      }
    }
    return nil
  }
}

extension Unicode.Scalar {
  fileprivate var isLineBreak: Bool {
    switch value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}
