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
