extension TypedField {
  /// Returns the field of a string.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - format: the format of the string; nil for any.
  ///   - length: the allowed number of code points, such as `1...64`.
  ///   - pattern: a pattern that must occur in the string; `^` and `$` anchor it to the ends.
  ///   - value: the value that renderers fill in initially.
  ///   - name: the key in the payload, for a property with a coding key of another name; nil for the name of the
  ///     property.
  /// - Returns: the field.
  public static func text<Property: FormProperty>(
    _ path: any KeyPath<Values, Property> & Sendable, title: Text, summary: Text? = nil, format: Schema.Format? = nil,
    length: some BoundsExpression<Int> = 0..., pattern: Pattern? = nil, default value: String? = nil, name: String? = nil
  ) -> TypedField where Property.Content == String {
    let rule = Schema.TextRule(length: length, pattern: pattern, format: format)
    let schema = Schema(.text(rule), title: title, summary: summary, defaultValue: value.map(JSONValue.string))
    return TypedField(path, schema, name: name)
  }

  /// Returns the field of an integer. The range is limited to the values that the type of the property can represent.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - range: the allowed range, such as `1...10`.
  ///   - value: the value that renderers fill in initially.
  ///   - name: the key in the payload, for a property with a coding key of another name; nil for the name of the property.
  /// - Returns: the field.
  public static func integer<Property: FormProperty>(
    _ path: any KeyPath<Values, Property> & Sendable, title: Text, summary: Text? = nil,
    range: some BoundsExpression<Int64> = Bounds<Int64>(), default value: Property.Content? = nil, name: String? = nil
  ) -> TypedField where Property.Content: FixedWidthInteger {
    let schema = Schema(
      .integer(range.bounds.clamped(to: Property.Content.self)), title: title, summary: summary,
      defaultValue: value.flatMap(Property.Content.formValue))
    return TypedField(path, schema, name: name)
  }

  /// Returns the field of a finite number.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - range: the allowed range, such as `1...10`.
  ///   - value: the value that renderers fill in initially.
  ///   - name: the key in the payload, for a property with a coding key of another name; nil for the name of the
  ///     property.
  /// - Returns: the field.
  public static func number<Property: FormProperty>(
    _ path: any KeyPath<Values, Property> & Sendable, title: Text, summary: Text? = nil,
    range: some BoundsExpression<Double> = Bounds<Double>(), default value: Double? = nil, name: String? = nil
  ) -> TypedField where Property.Content == Double {
    TypedField(path, .number(title: title, summary: summary, range: range, default: value), name: name)
  }

  /// Returns the field of a Boolean.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - value: the value that renderers fill in initially.
  ///   - name: the key in the payload, for a property with a coding key of another name; nil for the name of the
  ///     property.
  /// - Returns: the field.
  public static func boolean<Property: FormProperty>(
    _ path: any KeyPath<Values, Property> & Sendable, title: Text, summary: Text? = nil, default value: Bool? = nil,
    name: String? = nil
  ) -> TypedField where Property.Content == Bool {
    TypedField(path, .boolean(title: title, summary: summary, default: value), name: name)
  }

  /// Returns the field of a choice between all cases of a type.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - value: the value that renderers fill in initially.
  ///   - name: the key in the payload, for a property with a coding key of another name; nil for the name of the
  ///     property.
  /// - Returns: the field.
  public static func choice<Property: FormProperty>(
    _ path: any KeyPath<Values, Property> & Sendable, title: Text, summary: Text? = nil,
    default value: Property.Content? = nil, name: String? = nil
  ) -> TypedField where Property.Content: MenuChoice & CaseIterable {
    choice(path, title: title, summary: summary, of: Array(Property.Content.allCases), default: value, name: name)
  }

  /// Returns the field of a choice between some values of a type.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - choices: the choices, in display order.
  ///   - value: the value that renderers fill in initially.
  ///   - name: the key in the payload, for a property with a coding key of another name; nil for the name of the
  ///     property.
  /// - Returns: the field.
  public static func choice<Property: FormProperty>(
    _ path: any KeyPath<Values, Property> & Sendable, title: Text, summary: Text? = nil,
    of choices: [Property.Content], default value: Property.Content? = nil, name: String? = nil
  ) -> TypedField where Property.Content: MenuChoice {
    TypedField(path, .choice(title: title, summary: summary, of: choices, default: value), name: name)
  }

  /// Returns the field of a secret, which the coordinator receives from `Payload.secret(_:)`.
  ///
  /// - Parameters:
  ///   - name: the name of the field.
  ///   - title: the label that the user reads.
  ///   - summary: a sentence that explains the value.
  ///   - length: the allowed number of code points, such as `1...64`.
  ///   - pattern: a pattern that must occur in the string; `^` and `$` anchor it to the ends.
  /// - Returns: the field.
  public static func secret(
    _ name: Values.Secrets, title: Text, summary: Text? = nil, length: some BoundsExpression<Int> = 0...,
    pattern: Pattern? = nil
  ) -> TypedField {
    TypedField(secret: name, .secret(title: title, summary: summary, length: length, pattern: pattern))
  }
}

extension Bounds<Int64> {
  /// Returns the same bounds without the integers that a type cannot represent.
  func clamped<Integer: FixedWidthInteger>(to type: Integer.Type) -> Bounds<Int64> {
    var bounds = self
    let least = Int64(clamping: Integer.min)
    let most = Int64(clamping: Integer.max)
    if least > .min, lower.map({ $0.value < least }) ?? true { bounds.lower = .inclusive(least) }
    if most < .max, upper.map({ $0.value > most }) ?? true { bounds.upper = .inclusive(most) }
    return bounds
  }
}
