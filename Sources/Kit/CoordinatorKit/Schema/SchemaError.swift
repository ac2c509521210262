/// Why a schema is refused, and where.
public struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// The keyword needs a value of another type; says which.
    case malformed(expected: String)
    /// The keyword means nothing here, or asks for a check that is not made.
    case unsupportedKeyword
    /// The type is not among those that are allowed here.
    case unsupportedType
    /// The format is not known.
    case unsupportedFormat(String)
    /// A property has no title, or an empty one.
    case missingTitle
    /// Two fields have the same name.
    case duplicateProperty(String)
    /// A name stands for no property.
    case unknownProperty(String)
    /// No value can be within the bounds.
    case emptyBounds
    /// There is nothing to choose from.
    case noChoices
    /// A choice is no text, number or boolean, comes twice, or is not of the type that the schema names.
    case badChoice
    /// The default breaks the schema; says how.
    case badDefault(String)
    /// A secret has a default, or is a list.
    case badSecret
    /// The pattern cannot be matched.
    case badPattern(PatternError)
    /// The pattern could take too long on the longest text that is allowed; a shorter `maxLength` (or `maxItems`) helps.
    case costlyPattern
  }

  /// Where in the schema, as a JSON pointer: `/properties/username/minLength`, empty for the whole.
  public var pointer: String
  /// What is wrong.
  public var reason: Reason

  /// - Parameters:
  ///   - pointer: where in the schema, as a JSON pointer.
  ///   - reason: what is wrong.
  public init(at pointer: String, _ reason: Reason) {
    self.pointer = pointer
    self.reason = reason
  }

  /// A sentence for the author of the schema.
  public var description: String { "\(pointer.isEmpty ? "the schema" : pointer): \(reason)" }
}

extension SchemaError.Reason: CustomStringConvertible {
  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .malformed(let expected): "must be \(expected)"
    case .unsupportedKeyword: "is not supported here"
    case .unsupportedType: "is not a type that is supported here"
    case .unsupportedFormat(let name): "the format \(name) is not supported"
    case .missingTitle: "needs a title"
    case .duplicateProperty(let name): "has two properties named \(name)"
    case .unknownProperty(let name): "has no property named \(name), or names it twice"
    case .emptyBounds: "has bounds that nothing lies within"
    case .noChoices: "has nothing to choose from"
    case .badChoice: "must be a text, a number or a boolean of the schema's type, and come once"
    case .badDefault(let reason): reason
    case .badSecret: "is writeOnly, so it can have no default and be no list"
    case .badPattern(let error): error.description
    case .costlyPattern: "takes too long on the longest text allowed; set a shorter maxLength or maxItems"
    }
  }
}

extension String {
  /// This JSON pointer (RFC 6901), one step further.
  func pointing(to name: String) -> String {
    self + "/" + name.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
  }
}
