/// A field that is a property of a type. Create it with a builder, such as
/// ``text(_:title:summary:format:length:pattern:default:name:)``.
public struct TypedField<Values: FormValues>: Sendable {
  /// A condition on the value of another property.
  struct Condition: Sendable {
    let path: any PartialKeyPath<Values> & Sendable
    let values: [JSONValue]
  }

  var field: Field
  /// The property; nil for a secret.
  let path: (any PartialKeyPath<Values> & Sendable)?
  /// Returns the value of the property; nil for a secret.
  let read: (@Sendable (Values) -> JSONValue?)?
  /// The types that the value may be decoded as: the type of the property, with and without an optional.
  let types: [ObjectIdentifier]
  private(set) var conditions: [Condition] = []
  /// The property that must have the same value; nil if there is none, or a secret.
  private(set) var repeated: (any PartialKeyPath<Values> & Sendable)?
  private var isDeclaredOptional = false

  /// Creates a field with any schema. Prefer the builders, whose schemas match the type of the property.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - schema: the schema of the value. A value that conforms to it must decode as the property; validating the form checks
  ///     this.
  ///   - name: the key in the payload, for a property with a coding key of another name; nil for the name of the property.
  public init<Property: FormProperty>(
    _ path: any KeyPath<Values, Property> & Sendable, _ schema: Schema, name: String? = nil
  ) {
    let found = name ?? PropertyName.name(of: path)
    field = Field(found ?? "", schema, isRequired: !Property.isOptionalInForm)
    if found == nil { field.problem = .unnamedProperty }
    self.path = path
    read = { Property.formValue(of: $0[keyPath: path]) }
    types = [ObjectIdentifier(Property.self), ObjectIdentifier(Property.Content.self)]
  }

  /// Creates a secret field.
  init(secret name: Values.Secrets, _ schema: Schema) {
    field = Field(name.rawValue, schema)
    path = nil
    read = nil
    types = []
  }

  /// The same field, but not required. A property with an optional type has an optional field already.
  public var optional: TypedField {
    var field = self
    field.isDeclaredOptional = true
    field.field.isRequiredIfShown = false
    return field
  }

  /// Returns the same field, shown only if another property has one of some values. Several conditions must all hold.
  ///
  /// The property must have an optional type, because it has no value while the field is not shown. Unless the field is
  /// ``optional``, it is required while it is shown.
  ///
  /// - Parameters:
  ///   - path: the other property.
  ///   - values: the values of the other property for which the condition holds.
  /// - Returns: the field.
  public func shown<Property: FormProperty>(
    if path: any KeyPath<Values, Property> & Sendable, is values: Property.Content...
  ) -> TypedField {
    var field = self
    // A value that JSON cannot represent becomes null, which no field may have, so that validation refuses it.
    let values = values.map { Property.Content.formValue(of: $0) ?? .null }
    field.conditions.append(Condition(path: path, values: values))
    field.field.isRequiredIfShown = !isDeclaredOptional
    return field
  }

  /// Returns the same field of a text, whose value must be that of another property, such as an address that is typed twice.
  public func sameAs<Property: FormProperty>(_ path: any KeyPath<Values, Property> & Sendable) -> TypedField {
    var field = self
    field.repeated = path
    return field
  }

  /// Returns the same field of a secret, whose value must be that of another secret, such as a password that is typed twice.
  public func sameAs(_ secret: Values.Secrets) -> TypedField {
    var field = self
    field.field = field.field.sameAs(secret.rawValue)
    return field
  }
}

extension TypedField {
  /// Returns the same field with another example of a value, to be shown as a hint.
  public func example(_ value: JSONValue) -> TypedField { with { $0.example(value) } }

  /// Returns the same field for a value with a purpose.
  public func meant(for purpose: Schema.Purpose) -> TypedField { with { $0.meant(for: purpose) } }

  /// Returns the same field of a number with a unit, such as `GB`.
  public func measured(in unit: String) -> TypedField { with { $0.measured(in: unit) } }

  /// Returns the same field with a text for a value that breaks a rule, such as "Use small letters, digits and hyphens".
  public func explained(_ message: Text) -> TypedField { with { $0.explained(message) } }

  /// The same field of a text, with several lines.
  public var multiline: TypedField { with(\.multiline) }

  /// The same field of a secret, which renderers may show while the user types it.
  public var revealable: TypedField { with(\.revealable) }

  private func with(_ change: (Schema) -> Schema) -> TypedField {
    var field = self
    field.field.schema = change(field.field.schema)
    return field
  }
}

extension TypedField {
  /// Returns the field of a list of strings.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - count: the allowed number of entries.
  ///   - isUnique: whether all entries must be different.
  ///   - format: the format of each string; nil for any.
  ///   - length: the allowed number of code points of each string.
  ///   - pattern: a pattern that must occur in each string.
  ///   - name: the key in the payload, for a property with a coding key of another name; nil for the name of the
  ///     property.
  /// - Returns: the field.
  public static func texts<Property: FormProperty>(
    _ path: any KeyPath<Values, Property> & Sendable, title: Text, summary: Text? = nil,
    count: some BoundsExpression<Int> = 0..., isUnique: Bool = false, format: Schema.Format? = nil,
    length: some BoundsExpression<Int> = 0..., pattern: Pattern? = nil, name: String? = nil
  ) -> TypedField where Property.Content == [String] {
    let items = Schema(.text(Schema.TextRule(length: length, pattern: pattern, format: format)))
    return TypedField(path, .array(of: items, title: title, summary: summary, count: count, isUnique: isUnique), name: name)
  }

  /// Returns the field of a list of integers. The range is limited to the values that their type can represent.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - count: the allowed number of entries.
  ///   - isUnique: whether all entries must be different.
  ///   - range: the allowed range of each number.
  ///   - name: the key in the payload, for a property with a coding key of another name; nil for the name of the property.
  /// - Returns: the field.
  public static func integers<Property: FormProperty, Entry: FixedWidthInteger>(
    _ path: any KeyPath<Values, Property> & Sendable, title: Text, summary: Text? = nil,
    count: some BoundsExpression<Int> = 0..., isUnique: Bool = false,
    range: some BoundsExpression<Int64> = Bounds<Int64>(), name: String? = nil
  ) -> TypedField where Property.Content == [Entry] {
    let items = Schema(.integer(range.bounds.clamped(to: Entry.self)))
    return TypedField(path, .array(of: items, title: title, summary: summary, count: count, isUnique: isUnique), name: name)
  }

  /// Returns the field of a list of finite numbers.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - count: the allowed number of entries.
  ///   - isUnique: whether all entries must be different.
  ///   - range: the allowed range of each number.
  ///   - name: the key in the payload, for a property with a coding key of another name; nil for the name of the
  ///     property.
  /// - Returns: the field.
  public static func numbers<Property: FormProperty>(
    _ path: any KeyPath<Values, Property> & Sendable, title: Text, summary: Text? = nil,
    count: some BoundsExpression<Int> = 0..., isUnique: Bool = false,
    range: some BoundsExpression<Double> = Bounds<Double>(), name: String? = nil
  ) -> TypedField where Property.Content == [Double] {
    let items = Schema(.number(range.bounds))
    return TypedField(path, .array(of: items, title: title, summary: summary, count: count, isUnique: isUnique), name: name)
  }

  /// Returns the field of several choices from all cases of a type, each at most once.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - count: the allowed number of entries.
  ///   - name: the key in the payload, for a property with a coding key of another name; nil for the name of the
  ///     property.
  /// - Returns: the field.
  public static func choices<Property: FormProperty, Choice: MenuChoice & CaseIterable>(
    _ path: any KeyPath<Values, Property> & Sendable, title: Text, summary: Text? = nil,
    count: some BoundsExpression<Int> = 0..., name: String? = nil
  ) -> TypedField where Property.Content == [Choice] {
    let items = Schema.choice(title: title, of: Array(Choice.allCases))
    return TypedField(path, .array(of: items, title: title, summary: summary, count: count, isUnique: true), name: name)
  }

  /// Returns the field of a list of objects, each with the form of their type. That form must have neither lists nor secrets.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - count: the allowed number of entries.
  ///   - isUnique: whether all entries must be different.
  ///   - name: the key in the payload, for a property with a coding key of another name; nil for the name of the property.
  /// - Returns: the field.
  public static func objects<Property: FormProperty, Entry: FormValues>(
    _ path: any KeyPath<Values, Property> & Sendable, title: Text, summary: Text? = nil,
    count: some BoundsExpression<Int> = 0..., isUnique: Bool = false, name: String? = nil
  ) -> TypedField where Property.Content == [Entry] {
    // If the entries are of the type itself, its form is just being initialized, and would need lists of lists.
    let isRecursive = Entry.self == Values.self
    let items = isRecursive ? .object() : Schema.object(Entry.self)
    let schema = Schema.array(of: items, title: title, summary: summary, count: count, isUnique: isUnique)
    var field = TypedField(path, schema, name: name)
    if isRecursive { field.field.problem = .unsupportedType }
    return field
  }
}
