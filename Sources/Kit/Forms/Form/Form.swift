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
