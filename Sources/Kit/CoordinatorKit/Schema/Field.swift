/// A named value of a form, or of a flow's input.
public struct Field: Sendable, Hashable {
  /// The key in the payload.
  public var name: String
  /// What may be filled in.
  public var schema: Schema
  /// Whether a payload without it is refused.
  public var isRequired: Bool

  /// - Parameters:
  ///   - name: the key in the payload.
  ///   - schema: what may be filled in.
  ///   - isRequired: whether a payload without it is refused.
  public init(_ name: String, _ schema: Schema, isRequired: Bool = true) {
    self.name = name
    self.schema = schema
    self.isRequired = isRequired
  }

  /// The same field, but it may be left out.
  public var optional: Field { Field(name, schema, isRequired: false) }
}
