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
