/// A coordinator finished with a value that does not encode as an object.
public struct InvalidResult: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the value's type.
  public let type: String
  /// What the value encodes as: `a number`.
  public let encoding: String

  /// One line for people.
  public var description: String {
    "a flow's result must encode as an object with named values, but \(type) encodes as \(encoding): finish with a struct"
  }
}

extension JSONValue {
  /// What the value is, for an error: `a number`.
  var kindForPeople: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer, .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
