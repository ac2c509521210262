/// Access to values as Swift types.
///
/// All of these properties unwrap variants and are nil if the value has another type, because clients in loosely typed
/// languages wrap values in variants and widen integers.
extension Value {
  /// The value without the variants around it.
  public var unwrapped: Value {
    var value = self
    while case .variant(let content) = value { value = content }
    return value
  }

  /// The contents of a string. Object paths and signatures do not count as strings.
  public var string: String? {
    guard case .string(let string) = unwrapped else { return nil }
    return string
  }

  /// The value of a Boolean.
  public var bool: Bool? {
    guard case .boolean(let bool) = unwrapped else { return nil }
    return bool
  }

  /// The value of any integer type, if it fits in an `Int64`.
  public var integer: Int64? { exactInteger() }

  /// The value of any integer type, if it fits in a `UInt64`.
  public var uint64: UInt64? { exactInteger() }

  /// The value of a double, or of an integer that a `Double` represents exactly.
  public var double: Double? {
    switch unwrapped {
    case .double(let number): number
    case .uint64(let number): Double(exactly: number)
    default: integer.flatMap { Double(exactly: $0) }
    }
  }

  /// The elements of an array that is not a dictionary. They are not unwrapped: those of `av` are variants.
  public var elements: [Value]? {
    guard case .array(_, let elements) = unwrapped else { return nil }
    return elements
  }

  /// The members of a structure.
  public var members: [Value]? {
    guard case .structure(let members) = unwrapped else { return nil }
    return members
  }

  /// The value of an object path.
  public var objectPath: ObjectPath? {
    guard case .objectPath(let path) = unwrapped else { return nil }
    return path
  }

  /// Returns the value of any integer type as an `Integer`, if it fits.
  package func exactInteger<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) -> Integer? {
    switch unwrapped {
    case .byte(let number): Integer(exactly: number)
    case .int16(let number): Integer(exactly: number)
    case .uint16(let number): Integer(exactly: number)
    case .int32(let number): Integer(exactly: number)
    case .uint32(let number): Integer(exactly: number)
    case .int64(let number): Integer(exactly: number)
    case .uint64(let number): Integer(exactly: number)
    default: nil
    }
  }
}
