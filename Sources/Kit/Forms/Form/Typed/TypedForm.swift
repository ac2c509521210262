/// A form whose fields are properties of a type, so that a payload that conforms to the form decodes as the type.
///
/// Mistakes that the compiler cannot detect, such as a property without a field, are detected when the form is validated: see
/// ``SchemaError/Reason/unfilledProperty`` and the following cases.
public struct TypedForm<Values: FormValues>: Sendable {
  /// The form without the type. Its `validate()` also throws for mistakes in the declarations of the fields.
  public let form: Form
  private let readers: [Reader]

  /// Creates a form.
  ///
  /// - Parameter fields: the fields, in display order.
  public init(_ fields: TypedField<Values>...) { self.init(fields) }

  /// Creates a form.
  ///
  /// - Parameter fields: the fields, in display order.
  public init(_ fields: [TypedField<Values>]) {
    var names: [AnyKeyPath: String] = [:]
    for field in fields { if let path = field.path { names[path] = field.field.name } }
    let resolved = fields.map { field -> TypedField<Values> in
      let conditions = field.conditions.map { condition in
        // If the property has no field, the condition names the property, so that validation refuses it by that name.
        FieldCondition(names[condition.path] ?? PropertyName.name(of: condition.path) ?? "", is: condition.values)
      }
      guard !conditions.isEmpty else { return field }
      var field = field
      field.field = field.field.shown(if: conditions)
      return field
    }
    form = Form(FormProbe(resolved).fields)
    readers = fields.compactMap { field in field.read.map { Reader(name: field.field.name, read: $0) } }
  }

  /// Returns the values of the fields, to be shown in the form when it is presented.
  ///
  /// - Parameter values: the values of the properties.
  /// - Returns: the values by field, without those that are nil and those that JSON cannot represent.
  public func values(of values: Values) -> [String: JSONValue] {
    var result: [String: JSONValue] = [:]
    for reader in readers { result[reader.name] = reader.read(values) }
    return result
  }

  /// Reads the value of one field.
  private struct Reader: Sendable {
    let name: String
    let read: @Sendable (Values) -> JSONValue?
  }
}
