/// A D-Bus value, with one case for each type of the wire format except Unix file descriptors.
///
/// It is possible to create a value that the wire format cannot represent, such as an array whose elements differ in
/// type: `validated()` detects it, and a connection refuses to send it.
///
/// Source: D-Bus Specification, "Type System".
public enum Value: Sendable, Hashable {
  /// `y`
  case byte(UInt8)
  /// `b`
  case boolean(Bool)
  /// `n`
  case int16(Int16)
  /// `q`
  case uint16(UInt16)
  /// `i`
  case int32(Int32)
  /// `u`
  case uint32(UInt32)
  /// `x`
  case int64(Int64)
  /// `t`
  case uint64(UInt64)
  /// `d`
  case double(Double)
  /// `s`: any Unicode string without U+0000.
  case string(String)
  /// `o`
  case objectPath(ObjectPath)
  /// `g`
  case signature(Signature)
  /// `a`: an array whose elements all have the type `of`, which is needed because an empty array has a type too.
  case array(of: SingleType, [Value])
  /// `a{}`: a dictionary, which is an array of entries on the wire. Entries therefore keep their order, and equality
  /// depends on it.
  case dictionary(key: SingleType, value: SingleType, [DictionaryEntry])
  /// `()`: a structure with at least one member.
  case structure([Value])
  /// `v`
  indirect case variant(Value)
}

/// An entry of a dictionary value.
public struct DictionaryEntry: Sendable, Hashable {
  /// The key, a value of a basic type: dictionary keys are never containers.
  public var key: Value
  /// The value, of any type.
  public var value: Value

  /// Creates an entry.
  public init(key: Value, value: Value) {
    self.key = key
    self.value = value
  }
}

extension DictionaryEntry {
  /// Creates an entry of an `a{sv}`.
  ///
  /// - Parameters:
  ///   - name: the key.
  ///   - content: the value, which is put in a variant.
  public init(_ name: String, _ content: Value) { self.init(key: .string(name), value: .variant(content)) }
}

extension [DictionaryEntry] {
  /// Appends an entry of an `a{sv}` if it has a value.
  public mutating func add(_ name: String, _ content: Value?) {
    if let content { append(DictionaryEntry(name, content)) }
  }
}

/// Dictionaries of options, properties and other named values: `a{sv}`.
extension Value {
  /// Returns an `a{sv}` with sorted keys, each value in a variant.
  public static func vardict(_ dictionary: [String: Value]) -> Value {
    let entries = dictionary.sorted { $0.key < $1.key }.map { DictionaryEntry(key: .string($0.key), value: .variant($0.value)) }
    return .dictionary(key: .string, value: .variant, entries)
  }

  /// Returns an `a{sv}` of entries that are in the order of their keys already, which saves a dictionary.
  ///
  /// - Parameter entries: the entries, whose keys are strings that differ, and whose values are variants.
  /// - Returns: the same as ``vardict(_:)`` of a dictionary with these entries.
  public static func vardict(ordered entries: [DictionaryEntry]) -> Value {
    .dictionary(key: .string, value: .variant, entries)
  }

  /// The contents of an `a{sv}`, each value without its outermost variant, or of an `a{ss}`; nil for any other type.
  ///
  /// If a key occurs several times, which the wire format does not forbid, the last entry counts.
  public var vardict: [String: Value]? {
    guard case .dictionary(.string, let type, _) = unwrapped, type == .variant || type == .string else { return nil }
    return stringKeyed
  }

  /// The contents of a dictionary with string keys and values of any type, each value without its outermost variant;
  /// nil for any other type.
  package var stringKeyed: [String: Value]? {
    guard case .dictionary(.string, _, let entries) = unwrapped else { return nil }
    var result = [String: Value]()
    result.reserveCapacity(entries.count)
    for entry in entries {
      guard case .string(let key) = entry.key else { return nil }
      if case .variant(let content) = entry.value {
        result[key] = content
      } else {
        result[key] = entry.value
      }
    }
    return result
  }

  /// Returns an `as`.
  public static func strings(_ strings: some Sequence<String>) -> Value { .array(of: .string, strings.map { .string($0) }) }

  /// Returns an `ao`.
  public static func objectPaths(_ paths: some Sequence<ObjectPath>) -> Value {
    .array(of: .objectPath, paths.map { .objectPath($0) })
  }

  /// Returns an `aa{sv}`.
  public static func vardicts(_ dictionaries: some Sequence<[String: Value]>) -> Value {
    .array(of: .dictionary(key: .string, value: .variant), dictionaries.map { .vardict($0) })
  }
}

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

/// The space that values need in a message. Computed in the same pass that checks the values, without allocating.
public struct Measure: Sendable, Hashable {
  /// The nesting depth of containers: 0 for basic values, 3 for an `a{sv}` of basic values (array, entry, variant).
  public private(set) var depth = 0
  /// The size of the marshalled values in bytes, provided that the first begins at a multiple of eight, as in a message
  /// body.
  public private(set) var size = 0

  /// Checks and measures the arguments of one message.
  ///
  /// - Throws: `InvalidValue` for the first problem that makes the values impossible to send.
  public init(of body: [Value]) throws(InvalidValue) {
    var signatureLength = 0
    for value in body {
      signatureLength += try Self.signatureLength(of: value)
      guard signatureLength <= WireLimits.signatureLength else { throw .noSignature }
    }
    for value in body { try add(value, level: 0) }
    guard size <= WireLimits.messageSize else { throw .messageTooLarge }
  }

  /// Checks and measures one value.
  ///
  /// - Throws: `InvalidValue` for the first problem that makes the value impossible to send.
  public init(of value: Value) throws(InvalidValue) {
    _ = try Self.signatureLength(of: value)
    try add(value, level: 0)
    guard size <= WireLimits.messageSize else { throw .messageTooLarge }
  }

  private static func signatureLength(of value: Value) throws(InvalidValue) -> Int {
    guard let length = TypeShape.length(of: value), length <= WireLimits.signatureLength else { throw .noSignature }
    return length
  }

  /// Adds a value inside `level` containers, whose type is known to have a valid signature.
  private mutating func add(_ value: Value, level: Int) throws(InvalidValue) {
    switch value {
    case .byte: size += 1
    case .int16, .uint16: place(2)
    case .boolean, .int32, .uint32: place(4)
    case .int64, .uint64, .double: place(8)
    case .string(let string):
      guard !string.holdsNUL else { throw .nulInString }
      place(4)
      size += string.utf8.count + 1
    case .objectPath(let path):
      place(4)
      size += path.string.utf8.count + 1
    case .signature(let signature):
      size += 1 + signature.string.utf8.count + 1
    case .array(let type, let elements):
      try addArray(of: type, elements, level: level + 1)
    case .dictionary(let key, let value, let entries):
      try addEntries(key: key, value: value, entries, level: level + 1)
    case .structure(let members):
      try enter(level + 1)
      align(8)
      for member in members { try add(member, level: level + 1) }
    case .variant(let content):
      try enter(level + 1)
      size += 1 + (try Self.signatureLength(of: content)) + 1
      try add(content, level: level + 1)
    }
  }

  private mutating func addArray(of type: SingleType, _ elements: [Value], level: Int) throws(InvalidValue) {
    try enter(level)
    place(4)
    align(type.alignment)
    let start = size
    for element in elements {
      guard element.isOf(type) else { throw .wrongType(expected: type, found: element.type) }
      try add(element, level: level)
      guard size - start <= WireLimits.arraySize else { throw .arrayTooLarge }
    }
  }

  private mutating func addEntries(
    key: SingleType, value: SingleType, _ entries: [DictionaryEntry], level: Int
  ) throws(InvalidValue) {
    try enter(level)
    place(4)
    align(8)
    guard !entries.isEmpty else { return }
    let start = size
    try enter(level + 1)
    for entry in entries {
      guard entry.key.isOf(key) else { throw .wrongType(expected: key, found: entry.key.type) }
      guard entry.value.isOf(value) else { throw .wrongType(expected: value, found: entry.value.type) }
      align(8)
      try add(entry.key, level: level + 1)
      try add(entry.value, level: level + 1)
      guard size - start <= WireLimits.arraySize else { throw .arrayTooLarge }
    }
  }

  private mutating func enter(_ level: Int) throws(InvalidValue) {
    guard level <= WireLimits.depth else { throw .tooDeep }
    depth = max(depth, level)
  }

  private mutating func align(_ alignment: Int) { size = (size + alignment - 1) & ~(alignment - 1) }

  private mutating func place(_ bytes: Int) {
    align(bytes)
    size += bytes
  }
}

extension Value {
  /// Checks and measures the value in one pass.
  ///
  /// - Throws: `InvalidValue` for the first problem that makes the value impossible to send.
  public func measured() throws(InvalidValue) -> Measure { try Measure(of: self) }

  /// Checks that a message can contain the value: elements have the declared types, strings contain no U+0000, and the
  /// limits of depth and size are met.
  ///
  /// - Throws: `InvalidValue` for the first problem.
  public func validated() throws(InvalidValue) { _ = try Measure(of: self) }

  /// The nesting depth of the value's containers; `Int.max`, which is beyond any limit, for a value that cannot be
  /// sent.
  public var depth: Int { (try? Measure(of: self))?.depth ?? .max }

  /// The size of the marshalled value in bytes, to which up to 7 are added if it does not begin at a multiple of eight;
  /// `Int.max`, which is beyond any limit, for a value that cannot be sent.
  public var wireSize: Int { (try? Measure(of: self))?.size ?? .max }
}

extension String {
  /// Whether the string contains U+0000.
  package var holdsNUL: Bool {
    // The compiler vectorizes a minimum over all bytes, but not a search that stops early.
    utf8.withContiguousStorageIfAvailable { $0.reduce(UInt8.max) { Swift.min($0, $1) } == 0 } ?? utf8.contains(0)
  }
}
