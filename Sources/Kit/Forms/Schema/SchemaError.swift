/// The reason why a schema is refused, and the place of the error.
public struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason why a schema is refused.
  public enum Reason: Sendable, Hashable {
    /// The value of the keyword does not have the expected type.
    case malformed(expected: String)
    /// The keyword has no meaning here, or requires a check that is not supported.
    case unsupportedKeyword
    /// JSON Schema 2020-12 defines no such keyword; it may be misspelled.
    case unknownKeyword
    /// The `$schema` is not that of 2020-12.
    case unsupportedDialect
    /// The `$ref` is not `#/$defs/` and the name of a definition, or is recursive.
    case unsupportedReference
    /// Null is allowed where it cannot stand for an absent key: for the whole schema, or for the entry of a list.
    case unsupportedNull
    /// An annotation is not one of the descriptive keywords, or cannot be sent: it contains a null in an array, a NUL or a
    /// non-finite number, or is nested too deeply.
    case badAnnotation
    /// The type is not allowed here.
    case unsupportedType
    /// The format is unknown.
    case unsupportedFormat(String)
    /// A property has no title, or an empty one.
    case missingTitle
    /// Two fields have the same name.
    case duplicateProperty(String)
    /// A name is not the name of a property, or is listed twice.
    case unknownProperty(String)
    /// No value lies within the bounds.
    case emptyBounds
    /// There are no values to choose from.
    case noChoices
    /// A choice is not a string, number or Boolean, occurs twice, or does not have the type of the schema.
    case badChoice
    /// The default does not conform to the schema, for the given reason.
    case badDefault(String)
    /// A secret has a default, or is a list, in a list, or the outermost object.
    case badSecret
    /// A field depends on values that the other field cannot have, or on a list or a secret.
    case impossibleCondition
    /// A field depends on itself, possibly through other fields.
    case cyclicCondition
    /// A field repeats itself, or two fields of which not both are texts, and both or neither secret.
    case impossibleRepetition
    /// A field that is not always shown is in `required`.
    case requiredCondition
    /// The key path in a ``TypedForm`` does not name a stored property.
    case unnamedProperty
    /// A property of the type of a ``TypedForm`` is not optional, but a payload may lack a value for it.
    case unfilledProperty
    /// A secret of the type of a ``TypedForm`` has no field.
    case undeclaredSecret
    /// The type of a ``TypedForm`` does not decode and encode a field under its name.
    case uncodedProperty
    /// The type of a ``TypedForm`` decodes a field as another type.
    case mistypedProperty
    /// This pattern is invalid.
    case badPattern(PatternError, in: String)
    /// This pattern could take too long on the longest allowed string. Set a shorter `maxLength` or `maxItems`.
    case costlyPattern(String)
  }

  /// The place in the schema as a JSON pointer (RFC 6901), such as `/properties/username/minLength`; empty for the
  /// whole schema.
  public var pointer: String
  /// The reason.
  public var reason: Reason

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - pointer: the place in the schema, as a JSON pointer.
  ///   - reason: the reason.
  public init(at pointer: String, _ reason: Reason) {
    self.pointer = pointer
    self.reason = reason
  }

  /// A message for the author of the schema.
  public var description: String { "\(pointer.isEmpty ? "the schema" : pointer): \(reason)" }
}

extension SchemaError.Reason: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .malformed(let expected): "must be \(expected)"
    case .unsupportedKeyword: "is not supported here"
    case .unknownKeyword: "is not a keyword of JSON Schema 2020-12; begin the names of your own keywords with x-"
    case .unsupportedDialect: "must be https://json-schema.org/draft/2020-12/schema"
    case .unsupportedReference: "must be '#/$defs/' and the name of a definition that does not refer to itself"
    case .unsupportedNull: "allows null, which only a property may be"
    case .badAnnotation: "is not an annotation, or cannot be sent"
    case .unsupportedType: "is not a supported type"
    case .unsupportedFormat(let name): "the format \(name) is not supported"
    case .missingTitle: "must have a title"
    case .duplicateProperty(let name): "has two properties named \(name)"
    case .unknownProperty(let name): "has no property named \(name), or names it twice"
    case .emptyBounds: "leaves no value that satisfies all bounds"
    case .noChoices: "has no choices"
    case .badChoice: "must be a string, a number or a boolean of the schema's type, and unique"
    case .badDefault(let reason): reason
    case .badSecret: "is writeOnly, so it must not have a default, be a list, or be in a list"
    case .impossibleCondition: "is not a non-empty list of values that the other field can have, or that field may not decide"
    case .cyclicCondition: "depends on itself"
    case .impossibleRepetition: "is not the name of another text field, a secret one exactly if this one is secret"
    case .requiredCondition: "is not always shown, so it must not be in required; use x-required-if-shown"
    case .unnamedProperty: "the key path does not name a stored property; give the field a name"
    case .unfilledProperty: "the property is not optional, so it needs a field of this name that is always required"
    case .undeclaredSecret: "the secret has no field"
    case .uncodedProperty: "the type codes no such property; give the field the name of its coding key"
    case .mistypedProperty: "the type decodes the property as another type"
    case .badPattern(let error, let pattern): "'\(pattern)', at \(error.position): \(error.reason)"
    case .costlyPattern(let pattern):
      "'\(pattern)' is too slow for the longest allowed string; set a smaller maxLength or maxItems"
    }
  }
}

extension String {
  /// Returns this JSON pointer (RFC 6901) with another reference token appended.
  func pointing(to name: String) -> String {
    // A fast path: each form is checked when its flow is registered, and few names need escapes.
    guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return self + "/" + name }
    return self + "/" + name.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
  }
}
