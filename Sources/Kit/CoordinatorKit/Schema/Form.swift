/// The part of a screen that says what may be filled in: fields, in the order to show them.
public struct Form: Sendable, Hashable {
  /// The fields, in the order to show them.
  public var fields: [Field]

  /// - Parameter fields: the fields, in the order to show them.
  public init(_ fields: [Field]) { self.fields = fields }

  /// - Parameter fields: the fields, in the order to show them.
  public init(_ fields: Field...) { self.fields = fields }

  /// Reads what a screen carries.
  ///
  /// - Parameters:
  ///   - schema: the schema of the payload.
  ///   - order: the names of its properties, in the order to show them. Those it leaves out come last, by name.
  /// - Throws: `SchemaError` if `order` names a property twice, or one that the schema has not.
  public init(schema: Schema, order: [String]) throws(SchemaError) {
    var rest = Dictionary(schema.fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    fields = []
    for name in order {
      guard let field = rest.removeValue(forKey: name) else { throw SchemaError(at: "", .unknownProperty(name)) }
      fields.append(field)
    }
    fields += schema.fields.filter { rest[$0.name] != nil }
  }

  /// The names of the fields, in the order to show them.
  public var order: [String] { fields.map(\.name) }

  /// The schema of the payload: an object of these fields and no others.
  public var schema: Schema { .object(fields) }

  /// Refuses a form that no payload could be checked against; see `Schema.validate()`.
  ///
  /// - Throws: `SchemaError`, for the first thing that is wrong.
  public func validate() throws(SchemaError) { try schema.validate() }
}
