/// A type that a property of ``FormValues`` may have: a string, a number, a Boolean, a ``MenuChoice``, a list of those or
/// of ``FormValues``, and the optional of each.
///
/// ```swift
/// enum Size: String, Codable, CaseIterable, MenuChoice { … }  // conforms by MenuChoice
/// ```
public protocol FormProperty: Sendable {
  /// The type without an optional, which selects the builders of ``TypedField`` that accept the property.
  ///
  /// ```swift
  /// let content: Int?.Content = 3  // Int
  /// ```
  associatedtype Content: FormProperty = Self

  /// Whether the field may be left out.
  static var isOptionalInForm: Bool { get }

  /// Returns the value as it is in a payload; nil for no value, and for a number that JSON cannot represent.
  ///
  /// - Parameter value: the value of the property.
  /// - Returns: the value of the field.
  static func formValue(of value: Self) -> JSONValue?
}

extension FormProperty {
  /// False.
  public static var isOptionalInForm: Bool { false }
}

extension String: FormProperty {
  /// Returns the string.
  public static func formValue(of value: String) -> JSONValue? { .string(value) }
}

extension Bool: FormProperty {
  /// Returns the Boolean.
  public static func formValue(of value: Bool) -> JSONValue? { .boolean(value) }
}

extension Double: FormProperty {
  /// Returns the number; nil if it is not finite.
  public static func formValue(of value: Double) -> JSONValue? { value.isFinite ? JSONValue(value) : nil }
}

extension FormProperty where Self: FixedWidthInteger {
  /// Returns the integer; nil if it does not fit `Int64`.
  public static func formValue(of value: Self) -> JSONValue? { Int64(exactly: value).map(JSONValue.integer) }
}

extension Int: FormProperty {}
extension Int8: FormProperty {}
extension Int16: FormProperty {}
extension Int32: FormProperty {}
extension Int64: FormProperty {}
extension UInt: FormProperty {}
extension UInt8: FormProperty {}
extension UInt16: FormProperty {}
extension UInt32: FormProperty {}
extension UInt64: FormProperty {}

extension MenuChoice {
  /// Returns the raw value.
  public static func formValue(of value: Self) -> JSONValue? { .string(value.rawValue) }
}

extension Optional: FormProperty where Wrapped: FormProperty {
  /// The type without the optional.
  public typealias Content = Wrapped.Content

  /// True.
  public static var isOptionalInForm: Bool { true }

  /// Returns the value; nil if there is none.
  public static func formValue(of value: Wrapped?) -> JSONValue? { value.flatMap(Wrapped.formValue) }
}

extension Array: FormProperty where Element: FormProperty {
  /// Returns the entries; nil if JSON cannot represent one of them.
  public static func formValue(of value: [Element]) -> JSONValue? {
    let entries = value.compactMap(Element.formValue)
    return entries.count == value.count ? .array(entries) : nil
  }
}

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
