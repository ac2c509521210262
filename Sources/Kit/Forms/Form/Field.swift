import Languages

/// A named value of a form or of a flow's input.
///
/// ```swift
/// Field("username", .string(title: "User name", length: 1...64))
/// ```
public struct Field: Sendable, Hashable {
  /// The key in the payload.
  public var name: String
  /// The schema of the value.
  public var schema: Schema
  /// Whether a payload without this field is refused if the field is shown. A field without conditions always is.
  public var isRequiredIfShown: Bool
  /// The conditions under which the field is shown, sorted by the names of the other fields. All of them must hold.
  public private(set) var conditions: [FieldCondition] = []
  /// The name of the field that must have the same value; nil if there is none.
  public private(set) var repeated: String?
  /// The mistake in the declaration in a ``TypedForm``; thrown when the schema is validated.
  var problem: SchemaError.Reason?

  /// Creates a field.
  ///
  /// - Parameters:
  ///   - name: the key in the payload.
  ///   - schema: the schema of the value.
  ///   - isRequired: whether a payload without this field is refused.
  public init(_ name: String, _ schema: Schema, isRequired: Bool = true) {
    self.name = name
    self.schema = schema
    isRequiredIfShown = isRequired
  }

  /// Whether every payload without this field is refused. False for a field with conditions, which is required at most
  /// while it is shown.
  public var isRequired: Bool { isRequiredIfShown && conditions.isEmpty }

  /// The same field, but not required.
  public var optional: Field {
    var field = self
    field.isRequiredIfShown = false
    return field
  }

  /// Returns the same field, shown only if another field has one of some values. Several conditions must all hold.
  ///
  /// A value of a field that is not shown is dropped before the coordinator receives the payload. Unless it is ``optional``,
  /// the field is required while it is shown.
  ///
  /// - Parameters:
  ///   - field: the name of the other field.
  ///   - values: the allowed values of the other field.
  /// - Returns: the field.
  public func shown(if field: String, is values: JSONValue...) -> Field { shown(if: [FieldCondition(field, is: values)]) }

  /// Returns the same field, whose value must be that of another field, such as a password that is typed twice.
  ///
  /// Both fields are texts, and both or neither are secret. The rule does not apply while either field is not shown.
  ///
  /// - Parameter field: the name of the other field.
  /// - Returns: the field.
  public func sameAs(_ field: String) -> Field {
    var result = self
    result.repeated = field
    return result
  }

  /// Returns the same field, shown only if more conditions hold.
  ///
  /// - Parameter conditions: the conditions.
  /// - Returns: the field.
  public func shown(if conditions: [FieldCondition]) -> Field {
    var field = self
    field.conditions = (self.conditions + conditions).sorted { $0.field.utf8.lexicographicallyPrecedes($1.field.utf8) }
    return field
  }
}

/// A condition under which a field is shown: another field of the form is shown, and has one of some values.
///
/// ```swift
/// Field("passphrase", .secret(title: "Passphrase")).shown(if: "security", is: "wpa")
/// ```
public struct FieldCondition: Sendable, Hashable {
  /// The name of the other field: a string, a number, a Boolean or a choice, and not a secret.
  public var field: String
  /// The values of the other field for which the condition holds.
  public var values: [JSONValue]

  /// Creates a condition.
  ///
  /// - Parameters:
  ///   - field: the name of the other field.
  ///   - values: the values of the other field for which the condition holds.
  public init(_ field: String, is values: [JSONValue]) {
    self.field = field
    self.values = values
  }
}

extension FieldCondition {
  /// Decodes the value of the keyword `x-shown-if`: an object with the values of each other field.
  static func read(_ json: JSONValue, at pointer: String) throws(SchemaError) -> [FieldCondition] {
    guard let members = json.object, !members.isEmpty else {
      throw SchemaError(at: pointer, .malformed(expected: "an object with the values of other fields"))
    }
    var conditions: [FieldCondition] = []
    // Sorted, so that equal schemas have equal fields.
    for (name, json) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      guard let values = json.array else {
        throw SchemaError(at: pointer.pointing(to: name), .malformed(expected: "an array of values"))
      }
      conditions.append(FieldCondition(name, is: values))
    }
    return conditions
  }
}

extension [FieldCondition] {
  /// The value of the keyword `x-shown-if`.
  var json: JSONValue { .object(Dictionary(map { ($0.field, .array($0.values)) }, uniquingKeysWith: { first, _ in first })) }
}

/// The fields that the user of a screen can fill in, in display order.
///
/// ```swift
/// Form(
///   Field("username", .string(title: "User name", length: 1...64)),
///   Field("password", .secret(title: "Password", length: 1...128)))
/// ```
public struct Form: Sendable, Hashable {
  /// The fields, in display order.
  public var fields: [Field]

  /// Creates a form.
  ///
  /// - Parameter fields: the fields, in display order.
  public init(_ fields: [Field]) { self.fields = fields }

  /// Creates a form.
  ///
  /// - Parameter fields: the fields, in display order.
  public init(_ fields: Field...) { self.fields = fields }

  /// Creates a form from the schema and the order in a screen's wire format.
  ///
  /// - Parameters:
  ///   - schema: the schema of the payload.
  ///   - order: the names of the properties, in display order. Omitted properties come last, sorted by name.
  /// - Throws: ``SchemaError`` if `order` contains a name twice, or a name that is not a property of the schema.
  public init(schema: Schema, order: [String]) throws(SchemaError) {
    var rest = Dictionary(schema.fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    fields = []
    for name in order {
      guard let field = rest.removeValue(forKey: name) else { throw SchemaError(at: "", .unknownProperty(name)) }
      fields.append(field)
    }
    fields += schema.fields.filter { rest[$0.name] != nil }
  }

  /// The names of the fields, in display order.
  public var order: [String] { fields.map(\.name) }

  /// The schema of the payload: an object with exactly these fields.
  public var schema: Schema { .object(fields) }

  /// Returns the fields that are shown for some values of the form, in display order. Renderers call it whenever a
  /// value changes.
  ///
  /// - Parameter values: the values, by field. They need not be valid or complete.
  /// - Returns: the fields without conditions, and those whose conditions hold.
  public func shownFields(in values: [String: JSONValue]) -> [Field] {
    let shown = schema.shownFields(in: values)
    return fields.filter { shown.contains($0.name) }
  }

  /// Throws if payloads cannot be checked against the form; see ``Schema/validate()``.
  ///
  /// - Throws: ``SchemaError`` for the first problem.
  public func validate() throws(SchemaError) { try schema.validate() }
}

extension Form {
  /// Returns the form in a language.
  ///
  /// - Parameter language: the language; nil for the English originals.
  /// - Returns: the form with the translated titles, summaries, messages and choices. Texts without a translation stay English.
  public func translated(to language: Translations.Language?) -> Form {
    guard let language else { return self }
    return Form(fields.map { $0.translated(to: language) })
  }
}

extension Field {
  fileprivate func translated(to language: Translations.Language) -> Field {
    var field = self
    field.schema = schema.translated(to: language)
    return field
  }
}

extension Schema {
  fileprivate func translated(to language: Translations.Language) -> Schema {
    var schema = self
    if let title = texts.title { schema.title = title.resolved(in: language) }
    if let summary = texts.summary { schema.summary = summary.resolved(in: language) }
    if let message = texts.message { schema.annotations[Keyword.message] = .string(message.resolved(in: language)) }
    switch rule {
    case .choice(let choices): schema.rule = .choice(choices.map { $0.translated(to: language) })
    case .object(let fields): schema.rule = .object(fields.map { $0.translated(to: language) })
    case .list(var list):
      list.items = list.items.translated(to: language)
      schema.rule = .list(list)
    case .text, .integer, .number, .boolean: break
    }
    return schema
  }
}

extension Schema.Choice {
  fileprivate func translated(to language: Translations.Language) -> Schema.Choice {
    guard let title = texts.title else { return self }
    var choice = self
    choice.title = title.resolved(in: language)
    return choice
  }
}
