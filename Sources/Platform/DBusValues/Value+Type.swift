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
