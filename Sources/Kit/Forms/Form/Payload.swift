/// The payload of an event, with the secrets kept apart from the other values.
public struct Payload: Sendable {
  /// The values, without those of secret fields. Contains no nulls.
  public var values: [String: JSONValue]
  /// The values of the fields that the schema declares as `writeOnly`.
  public var secrets: [String: Secret]

  /// Creates a payload, for example in a test. Null values are dropped.
  ///
  /// - Parameters:
  ///   - values: the values, by field.
  ///   - secrets: the values of secret fields, by field.
  public init(values: [String: JSONValue] = [:], secrets: [String: Secret] = [:]) {
    self.values = values.filter { !$0.value.isNull }
    self.secrets = secrets
  }

  /// The value of a field; nil if it was not filled in or is a secret field.
  public subscript(name: String) -> JSONValue? { values[name] }

  /// Returns the string in a field.
  ///
  /// - Parameter name: the name of the field.
  /// - Returns: the string, or nil if there is none.
  public func string(_ name: String) -> String? { values[name]?.string }

  /// Returns the integer in a field.
  ///
  /// - Parameter name: the name of the field.
  /// - Returns: the integer, or nil if there is none.
  public func integer(_ name: String) -> Int64? { values[name]?.integer }

  /// Returns the number in a field.
  ///
  /// - Parameter name: the name of the field.
  /// - Returns: the number, or nil if there is none.
  public func number(_ name: String) -> Double? { values[name]?.number }

  /// Returns the Boolean in a field.
  ///
  /// - Parameter name: the name of the field.
  /// - Returns: the Boolean, or nil if there is none.
  public func boolean(_ name: String) -> Bool? { values[name]?.boolean }

  /// Returns the array in a field.
  ///
  /// - Parameter name: the name of the field.
  /// - Returns: the elements, or nil if there is no array.
  public func array(_ name: String) -> [JSONValue]? { values[name]?.array }

  /// Returns the secret in a field.
  ///
  /// - Parameter name: the name of the field.
  /// - Returns: the secret, or nil if it was not filled in.
  public func secret(_ name: String) -> Secret? { secrets[name] }

  /// Returns the values, without the secrets, decoded as a type of the flow.
  ///
  /// ```swift
  /// let credentials = try event.payload.decoded(as: Credentials.self)
  /// ```
  ///
  /// - Parameter type: the type to decode.
  /// - Returns: the decoded value.
  /// - Throws: `DecodingError` if the values do not match the type, for example because the schema does not require a
  ///   property of it.
  public func decoded<T: Decodable>(as type: T.Type = T.self) throws -> T {
    try JSONValue.object(values).decoded(as: type)
  }
}

/// A payload that does not conform to its schema. Gives the reasons, but never repeats the value of a secret field.
public struct InvalidPayload: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reasons, by field, in a form to be shown after the field's title ("must have 1 to 64 characters").
  public var fields: [String: String]

  /// Creates an error.
  ///
  /// - Parameter fields: the reasons, by field.
  public init(fields: [String: String]) { self.fields = fields }

  /// All fields and reasons, sorted by field.
  public var description: String {
    fields.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: "; ")
  }
}
