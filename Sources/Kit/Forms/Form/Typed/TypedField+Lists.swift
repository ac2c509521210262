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
