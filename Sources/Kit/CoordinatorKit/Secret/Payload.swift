/// What came with an event, after it was checked: values, and apart from them the secrets.
public struct Payload: Sendable {
  /// What was filled in, without the secret fields. Holds no nulls.
  public var values: [String: JSONValue]
  /// The values of the fields whose schema says `writeOnly`.
  public var secrets: [String: Secret]

  /// Puts a payload together, as a test does.
  ///
  /// - Parameters:
  ///   - values: what was filled in, by field.
  ///   - secrets: what was filled in in confidence, by field.
  public init(values: [String: JSONValue] = [:], secrets: [String: Secret] = [:]) {
    self.values = values.filter { !$0.value.isNull }
    self.secrets = secrets
  }

  /// The value of a field; nil if it was not filled in, or is a secret one.
  public subscript(name: String) -> JSONValue? { values[name] }

  /// The text of a field.
  ///
  /// - Parameter name: the field.
  /// - Returns: the text; nil if there is none.
  public func string(_ name: String) -> String? { values[name]?.string }

  /// The whole number of a field.
  ///
  /// - Parameter name: the field.
  /// - Returns: the whole number; nil if there is none.
  public func integer(_ name: String) -> Int64? { values[name]?.integer }

  /// The number of a field.
  ///
  /// - Parameter name: the field.
  /// - Returns: the number; nil if there is none.
  public func number(_ name: String) -> Double? { values[name]?.number }

  /// The boolean of a field.
  ///
  /// - Parameter name: the field.
  /// - Returns: the boolean; nil if there is none.
  public func boolean(_ name: String) -> Bool? { values[name]?.boolean }

  /// The entries of a field.
  ///
  /// - Parameter name: the field.
  /// - Returns: the entries; nil if there are none.
  public func array(_ name: String) -> [JSONValue]? { values[name]?.array }

  /// The secret of a field.
  ///
  /// - Parameter name: the field.
  /// - Returns: the secret; nil if it was not filled in.
  public func secret(_ name: String) -> Secret? { secrets[name] }

  /// The values, without the secrets, as a type of the flow's own.
  ///
  /// - Parameter type: what to make.
  /// - Returns: what was made.
  /// - Throws: `DecodingError` if the schema does not ask for what the type needs.
  public func decoded<T: Decodable>(as type: T.Type = T.self) throws -> T {
    try JSONValue.object(values).decoded(as: type)
  }
}

/// A payload that breaks its schema. Says why, and never repeats a value of a secret field.
public struct InvalidPayload: Error, Sendable, Hashable, CustomStringConvertible {
  /// By field: a reason that people can read, to be shown beside the field's title ("must have 1 to 64 characters").
  public var fields: [String: String]

  /// - Parameter fields: by field, the reason.
  public init(fields: [String: String]) { self.fields = fields }

  /// All fields and reasons, in the order of the fields' names.
  public var description: String {
    fields.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: "; ")
  }
}
