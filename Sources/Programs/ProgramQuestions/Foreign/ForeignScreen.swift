import Forms

/// Builds the object of a screen from the texts of another program, all of which become ``ForeignText``.
package struct ForeignScreen: Sendable, Hashable {
  /// The kinds of screens that programs need; the raw values are the words of the contract.
  package enum Kind: String, Sendable, Hashable {
    case menu, list, form, message, progress
  }

  /// The roles of actions; the raw values are the words of the contract.
  package enum Role: String, Sendable, Hashable {
    case primary, normal, cancel, destructive
  }

  /// The levels of messages; the raw values are the words of the contract.
  package enum Level: String, Sendable, Hashable {
    case error, warning, info
  }

  private var object: [String: JSONValue]
  private var prose: [ForeignProse.Block] = []
  private var actions: [JSONValue] = []
  private var messages: [JSONValue] = []

  /// Creates a screen without a body and actions.
  package init(_ kind: Kind, name: String, title: String) {
    object = [
      "kind": .string(kind.rawValue), "name": .string(Self.name(name)), "title": .string(ForeignText(title).line),
    ]
  }

  /// The screen as an object of the contract.
  package var json: [String: JSONValue] {
    var result = object
    result["body"] = .string(ForeignProse(blocks: prose).plain)
    if !prose.isEmpty { result["blocks"] = .array(prose.map(\.json)) }
    result["actions"] = .array(actions)
    if !messages.isEmpty { result["messages"] = .array(messages) }
    return result
  }

  /// Sets a key of the contract whose value contains no unchecked text.
  package mutating func set(_ key: String, _ value: JSONValue) { object[key] = value }

  /// Appends blocks to the body.
  package mutating func add(_ prose: ForeignProse) { self.prose += prose.blocks }

  /// Appends a paragraph to the body.
  package mutating func add(paragraph text: String, isStrong: Bool = false) {
    let line = ForeignText(text).line
    if !line.isEmpty { prose.append(.init(.paragraph, line, isStrong: isStrong)) }
  }

  /// Appends an action.
  package mutating func add(action id: String, _ title: String, _ role: Role) {
    actions.append(["id": .string(id), "title": .string(ForeignText(title).line), "role": .string(role.rawValue)])
  }

  /// Appends a message.
  package mutating func add(message text: String, _ level: Level, code: String, field: String? = nil) {
    var message: [String: JSONValue] = [
      "level": .string(level.rawValue), "code": .string(code), "text": .string(ForeignText(text).line),
    ]
    message["field"] = field.map(JSONValue.string)
    messages.append(.object(message))
  }

  /// Makes the screen a form.
  package mutating func set(fields: [ForeignField]) {
    let required = fields.filter(\.isRequired).map { JSONValue.string($0.name) }
    var schema: [String: JSONValue] = [
      "type": "object", "additionalProperties": false,
      "properties": .object(Dictionary(fields.map { ($0.name, $0.schema) }, uniquingKeysWith: { first, _ in first })),
    ]
    if !required.isEmpty { schema["required"] = .array(required) }
    object["schema"] = .object(schema)
    object["fields"] = .array(fields.map { .string($0.name) })
    let values = fields.compactMap { field in field.value.map { (field.name, $0) } }
    if !values.isEmpty { object["values"] = .object(Dictionary(values, uniquingKeysWith: { first, _ in first })) }
  }

  /// Returns the name of a screen: one line of at most 200 bytes.
  private static func name(_ name: String) -> String {
    var line = ForeignText(name, limit: 200).line
    while line.utf8.count > 200 { line.unicodeScalars.removeLast() }
    return line
  }
}
