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
