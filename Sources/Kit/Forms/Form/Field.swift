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
  /// Whether a payload without this field is refused.
  public var isRequired: Bool

  /// Creates a field.
  ///
  /// - Parameters:
  ///   - name: the key in the payload.
  ///   - schema: the schema of the value.
  ///   - isRequired: whether a payload without this field is refused.
  public init(_ name: String, _ schema: Schema, isRequired: Bool = true) {
    self.name = name
    self.schema = schema
    self.isRequired = isRequired
  }

  /// The same field, but not required.
  public var optional: Field { Field(name, schema, isRequired: false) }
}
