/// Reading values as Swift values. All of these look through variants, and answer nil when the value is of another type: a client
/// in a loosely typed language wraps and widens as it likes.
extension Value {
  /// The value without the variants around it.
  public var unwrapped: Value {
    var value = self
    while case .variant(let content) = value { value = content }
    return value
  }

  /// The text of a string; object paths and signatures are not taken for strings.
  public var string: String? {
    guard case .string(let string) = unwrapped else { return nil }
    return string
  }

  /// A boolean.
  public var bool: Bool? {
    guard case .boolean(let bool) = unwrapped else { return nil }
    return bool
  }

  /// The number of any integer type, if it fits.
  public var integer: Int64? { exactInteger() }

  /// The number of any integer type, if it fits.
  public var uint64: UInt64? { exactInteger() }

  /// A double, or an integer that a double holds exactly.
  public var double: Double? {
    switch unwrapped {
    case .double(let number): number
    case .uint64(let number): Double(exactly: number)
    default: integer.flatMap { Double(exactly: $0) }
    }
  }

  /// The elements of an array that is no dictionary, each as it is: those of `av` are variants.
  public var elements: [Value]? {
    guard case .array(_, let elements) = unwrapped else { return nil }
    return elements
  }

  /// The members of a structure.
  public var members: [Value]? {
    guard case .structure(let members) = unwrapped else { return nil }
    return members
  }

  /// An object path.
  public var objectPath: ObjectPath? {
    guard case .objectPath(let path) = unwrapped else { return nil }
    return path
  }

  /// The number of any integer type as an `Integer`, if it fits.
  func exactInteger<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) -> Integer? {
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
