extension Value {
  /// The type of the value. For arrays and dictionaries, this is the declared type, whatever the elements are.
  public var type: SingleType {
    switch self {
    case .byte: .byte
    case .boolean: .boolean
    case .int16: .int16
    case .uint16: .uint16
    case .int32: .int32
    case .uint32: .uint32
    case .int64: .int64
    case .uint64: .uint64
    case .double: .double
    case .string: .string
    case .objectPath: .objectPath
    case .signature: .signature
    case .array(let element, _): .array(element)
    case .dictionary(let key, let value, _): .dictionary(key: key, value: value)
    case .structure(let members): .structure(members.map(\.type))
    case .variant: .variant
    }
  }

  /// Returns whether `type` is the value's type. Equivalent to comparing it with `self.type`, but does not build that
  /// type.
  public func isOf(_ type: SingleType) -> Bool {
    switch (self, type) {
    case (.byte, .byte), (.boolean, .boolean), (.int16, .int16), (.uint16, .uint16), (.int32, .int32), (.uint32, .uint32),
      (.int64, .int64), (.uint64, .uint64), (.double, .double), (.string, .string), (.objectPath, .objectPath),
      (.signature, .signature), (.variant, .variant):
      return true
    case (.array(let element, _), .array(let expected)):
      return element == expected
    case (.dictionary(let key, let value, _), .dictionary(let expectedKey, let expectedValue)):
      return key == expectedKey && value == expectedValue
    case (.structure(let members), .structure(let expected)):
      guard members.count == expected.count else { return false }
      for index in members.indices where !members[index].isOf(expected[index]) { return false }
      return true
    default:
      return false
    }
  }
}

extension Signature {
  /// Creates the signature of a message with the arguments `values`.
  ///
  /// - Throws: `InvalidValue.noSignature` if the types violate a rule or a limit of signatures.
  public init(of values: [Value]) throws(InvalidValue) {
    var length = 0
    for value in values {
      guard let more = TypeShape.length(of: value) else { throw .noSignature }
      length += more
    }
    guard length <= WireLimits.signatureLength else { throw .noSignature }
    do {
      try self.init(types: values.map(\.type))
    } catch {
      throw .noSignature
    }
  }

  /// Returns whether `values` are arguments of this signature.
  public func accepts(_ values: [Value]) -> Bool {
    guard values.count == types.count else { return false }
    for index in values.indices where !values[index].isOf(types[index]) { return false }
    return true
  }
}

/// The reason why a value cannot be sent.
public enum InvalidValue: Error, Sendable, Hashable {
  /// An element of an array or dictionary does not have the type that the container declares.
  case wrongType(expected: SingleType, found: SingleType)
  /// A string contains U+0000.
  case nulInString
  /// Containers are nested more than 64 levels deep.
  case tooDeep
  /// The types have no valid signature: it would be too long (255 bytes) or nested too deeply (32 arrays, 32
  /// structures), a structure has no members, or a dictionary key is a container.
  case noSignature
  /// The elements of an array take more than 64 MiB.
  case arrayTooLarge
  /// The message is larger than 128 MiB.
  case messageTooLarge
}

extension InvalidValue: CustomStringConvertible {
  /// The error on one line, without any part of the value.
  public var description: String {
    switch self {
    case .wrongType(let expected, let found): "expected a value of type \(expected), but found type \(found)"
    case .nulInString: "a string contains the character U+0000"
    case .tooDeep: "values are nested deeper than \(WireLimits.depth) levels"
    case .noSignature: "the types of the values do not form a valid signature"
    case .arrayTooLarge: "an array is larger than 64 MiB"
    case .messageTooLarge: "the message is larger than 128 MiB"
    }
  }
}

/// The limits of the wire format.
///
/// Source: D-Bus Specification, "Valid Signatures", "Marshaling (Wire Format)" and "Message Format". The bus has the
/// same limits and disconnects clients that exceed them.
public enum WireLimits {
  /// The maximum length of a signature in bytes, also of that of all arguments of a message together.
  public static let signatureLength = 255
  /// The maximum nesting of arrays in arrays, and of structures in structures, in one signature.
  public static let typeNesting = 32
  /// The maximum nesting of containers in one message: arrays, structures, dictionary entries and variants together.
  public static let depth = 64
  /// The maximum size of the elements of one array in bytes: 64 MiB.
  public static let arraySize = 64 << 20
  /// The maximum size of a message in bytes, including its header: 128 MiB.
  public static let messageSize = 128 << 20
  /// The maximum length of a bus name, interface name, member name or error name in bytes.
  public static let nameLength = 255
  /// The maximum length of a match rule in bytes.
  public static let matchRuleLength = 1024
}

/// Checks the types of values against the rules of signatures without building the signature.
package enum TypeShape {
  /// Returns the length in bytes of the signature of `types`; nil if there is none because a rule or a limit is
  /// violated.
  package static func length(of types: [SingleType]) -> Int? {
    var length = 0
    for type in types {
      guard let more = self.length(of: type, arrays: 0, structures: 0) else { return nil }
      length += more
      guard length <= WireLimits.signatureLength else { return nil }
    }
    return length
  }

  /// Returns the length in bytes of the signature of `value`; nil if there is none. A variant is `v`, whatever its
  /// content.
  package static func length(of value: Value) -> Int? { length(of: value, structures: 0) }

  private static func length(of value: Value, structures: Int) -> Int? {
    switch value {
    case .array(let element, _):
      return length(of: element, arrays: 1, structures: structures).map { $0 + 1 }
    case .dictionary(let key, let content, _):
      return dictionaryLength(key: key, value: content, arrays: 0, structures: structures)
    case .structure(let members):
      guard structures < WireLimits.typeNesting, !members.isEmpty else { return nil }
      var total = 2
      for member in members {
        guard let more = length(of: member, structures: structures + 1) else { return nil }
        total += more
        guard total <= WireLimits.signatureLength else { return nil }
      }
      return total
    default:
      return 1
    }
  }

  private static func length(of type: SingleType, arrays: Int, structures: Int) -> Int? {
    switch type {
    case .array(let element):
      guard arrays < WireLimits.typeNesting else { return nil }
      return length(of: element, arrays: arrays + 1, structures: structures).map { $0 + 1 }
    case .dictionary(let key, let value):
      return dictionaryLength(key: key, value: value, arrays: arrays, structures: structures)
    case .structure(let members):
      guard structures < WireLimits.typeNesting, !members.isEmpty else { return nil }
      var total = 2
      for member in members {
        guard let more = length(of: member, arrays: arrays, structures: structures + 1) else { return nil }
        total += more
        guard total <= WireLimits.signatureLength else { return nil }
      }
      return total
    default:
      return 1
    }
  }

  private static func dictionaryLength(key: SingleType, value: SingleType, arrays: Int, structures: Int) -> Int? {
    guard arrays < WireLimits.typeNesting, key.isBasic else { return nil }
    return length(of: value, arrays: arrays + 1, structures: structures).map { $0 + 4 }
  }
}
