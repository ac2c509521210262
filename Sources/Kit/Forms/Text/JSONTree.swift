import Platform

/// A JSON text from which typed values are decoded: numbers keep their spelling, and null is a value. ``JSONNode`` explains why
/// it is not a ``JSONValue``.
enum JSONTree: JSONNode {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// Any other number, in its original spelling.
  case numeral(text: String)
  case string(String)
  case array([JSONTree])
  case object([String: JSONTree])

  static func numeral(_ text: String) -> JSONTree? { .numeral(text: text) }

  static var isNullAbsent: Bool { false }
  static var mostCodingLevels: Int { JSONCodingPath.mostLevels }

  var isNull: Bool { if case .null = self { true } else { false } }
  var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  var string: String? { if case .string(let value) = self { value } else { nil } }
  var array: [JSONTree]? { if case .array(let elements) = self { elements } else { nil } }
  var members: [String: JSONTree]? { if case .object(let members) = self { members } else { nil } }

  var value: JSONValue? {
    switch self {
    case .null: return .null
    case .boolean(let value): return .boolean(value)
    case .integer(let value): return .integer(value)
    case .numeral(let text): return .numeral(text)
    case .string(let value): return .string(value)
    case .array(let elements):
      let values = elements.compactMap(\.value)
      return values.count == elements.count ? .array(values) : nil
    case .object(let members):
      let values = members.compactMapValues(\.value)
      return values.count == members.count ? .object(values) : nil
    }
  }

  func integer<Number: FixedWidthInteger>(as type: Number.Type) -> Number? {
    switch self {
    case .integer(let value): Number(exactly: value)
    case .numeral(let text): Number(text) ?? Double(text).flatMap { Number(exactly: $0) }
    default: nil
    }
  }

  func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(as type: Number.Type) -> Number? {
    switch self {
    case .integer(let value): Number(value)
    case .numeral(let text): Number(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  func plain<T>(for type: T.Type) -> JSONTree? {
    guard let special = FoundationValue(type) else { return self }
    return special.plain(self)
  }

  var kind: String {
    switch self {
    case .null: "nothing"
    case .boolean: "a boolean"
    case .integer, .numeral: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// The path of a coder in a value. It becomes an array only for an error or for code that reads the path.
indirect enum JSONCodingPath {
  case root
  /// Without a key, the same value, of which another type decodes itself.
  case below(JSONCodingPath, (any CodingKey)?, level: Int)

  /// The maximum number of levels, the same as in ``JSONParser``. Without a limit, a value of a recursive type could overflow
  /// the stack.
  static let mostLevels = 512

  /// The number of values on the way.
  var level: Int {
    switch self {
    case .root: 0
    case .below(_, _, let level): level
    }
  }

  /// The keys, outermost first.
  var keys: [any CodingKey] {
    var keys: [any CodingKey] = []
    var path = self
    while case .below(let parent, let key, _) = path {
      if let key { keys.append(key) }
      path = parent
    }
    return keys.reversed()
  }

  /// The path of the same value at a deeper level, for a value that another type encodes or decodes. The level is separate,
  /// because that type may use a further one, and so on.
  var deeper: JSONCodingPath { .below(self, nil, level: level + 1) }

  /// Returns the path of a member or an element.
  func appending(_ key: any CodingKey) -> JSONCodingPath { .below(self, key, level: level + 1) }

  /// Returns the path of an element.
  func appending(_ index: Int) -> JSONCodingPath { appending(JSONCodingKey(intValue: index)) }
}

/// The types of Foundation that its JSON coders treat specially. A flow may have them in its state, and values that older
/// versions have stored must stay readable.
///
/// The types are recognized by their names, because a program that uses none of them must not link Foundation. All other types
/// of Foundation, among them `Date` and `UUID`, encode themselves as with the coders of Foundation.
enum FoundationValue: Sendable {
  /// Foundation's `Data`, encoded in Base64.
  case data
  /// Foundation's `URL`, encoded as a string.
  case url
  /// Foundation's `Decimal`, encoded as a number.
  case decimal

  /// Recognizes a type; returns nil for all other types.
  ///
  /// - Parameter type: the type that is encoded or decoded.
  init?<T>(_ type: T.Type) {
    // The size is compared first, because comparing names costs more than coding a small value.
    guard Self.sizes.contains(MemoryLayout<T>.size) else { return nil }
    let id = ObjectIdentifier(type)
    let known = Self.known.withLock { known in
      known[id]
        ?? {
          let kind = Self.kinds[_typeName(type)]
          known[id] = .some(kind)
          return kind
        }()
    }
    guard let known else { return nil }
    self = known
  }

  private static let sizes: Set<Int> = [8, 16, 20]
  private static let known = Lock<[ObjectIdentifier: FoundationValue?]>([:])
  private static let kinds: [String: FoundationValue] = [
    "FoundationEssentials.Data": .data, "FoundationEssentials.URL": .url, "FoundationEssentials.Decimal": .decimal,
    "Foundation.Data": .data, "Foundation.URL": .url, "Foundation.Decimal": .decimal,
  ]

  /// Encodes a value of this type.
  ///
  /// - Parameters:
  ///   - value: the value to encode.
  ///   - path: the path of the value.
  /// - Returns: the encoded value; nil if JSON cannot represent it.
  /// - Throws: any error that `value` throws.
  func item(of value: some Encodable, at path: JSONCodingPath) throws -> JSONTextEncoder.Item? {
    switch self {
    case .data: return (value as? any Sequence<UInt8>).map { .string(Base64.encode(Array($0))) }
    case .decimal:
      let text = String(describing: value)
      // JSON cannot represent "NaN".
      return (try? JSONParser<JSONTree>.parse(text.utf8)).flatMap { $0.isNumber ? .text(text) : nil }
    case .url:
      let node = JSONTextEncoder.Node()
      try value.encode(to: JSONTextEncoder(node: node, path: path))
      // A URL that is relative to another one stays a pair of both.
      guard case .object(let members) = node.content, members.count == 1, let relative = members["relative"] else {
        return .node(node)
      }
      return relative
    }
  }

  /// Converts a JSON value to the form that the type itself decodes; returns nil if it cannot be one of its values.
  ///
  /// - Parameter tree: the encoded value.
  /// - Returns: the value that the type's `init(from:)` expects.
  func plain(_ tree: JSONTree) -> JSONTree? {
    switch (self, tree) {
    case (.data, .string(let text)): Base64.decode(text).map { .array($0.map { .integer(Int64($0)) }) }
    case (.url, .string): .object(["relative": tree])
    case (.url, .object): tree
    case (.decimal, .integer(let value)): DecimalParts("\(value)")?.tree
    case (.decimal, .numeral(let text)): DecimalParts(text)?.tree
    default: nil
    }
  }
}

extension JSONTree {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .numeral: true
    default: false
    }
  }
}

/// Encodes and decodes Base64 according to RFC 4648, with padding. Replaces Foundation's coder, because the daemon does not
/// link Foundation.
package enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static let values: [UInt8?] = {
    var values = [UInt8?](repeating: nil, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  /// Returns bytes as text.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let group = bytes[index..<min(index + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= 8 * UInt32(3 - group.count)
      for place in 0..<4 {
        text.append(place <= group.count ? digits[Int(bits >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
      }
      index += 3
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the bytes; nil if the text is not Base64.
  package static func decode(_ text: String) -> [UInt8]? {
    var text = Array(text.utf8)
    guard text.count.isMultiple(of: 4) else { return nil }
    while text.last == UInt8(ascii: "="), text.count % 4 != 2 { text.removeLast() }
    guard text.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var (bits, count) = (UInt32(0), 0)
    for digit in text {
      guard let value = values[Int(digit)] else { return nil }
      bits = (bits << 6 | UInt32(value)) & 0xff_ffff
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}

/// The parts of a `Decimal` of Foundation, as its `init(from:)` expects them.
struct DecimalParts {
  private var mantissa: UInt128 = 0
  private var exponent = 0
  private var isNegative = false

  /// Reads a number of JSON, rounding it to 38 digits towards zero; returns nil if its exponent is out of range.
  ///
  /// - Parameter text: the number in its JSON form.
  init?(_ text: String) {
    let parts = text.bytes.lowercased.bytes.split(separator: "e", maxSplits: 1)
    guard let digits = parts.first, let power = parts.count > 1 ? Int(parts[1]) : 0, abs(power) < 1_000 else { return nil }
    var (isFraction, isFull) = (false, false)
    for character in digits.utf8 {
      switch character {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): isFraction = true
      default:
        let (product, isOverflow) = mantissa.multipliedReportingOverflow(by: 10)
        let (sum, isMoreOverflow) = product.addingReportingOverflow(UInt128(character &- UInt8(ascii: "0")))
        isFull = isFull || isOverflow || isMoreOverflow
        if !isFull { mantissa = sum }
        if isFull != isFraction { exponent += isFull ? 1 : -1 }
      }
    }
    exponent += power
    // Compact: without trailing zeros.
    while mantissa != 0, mantissa.isMultiple(of: 10) {
      mantissa /= 10
      exponent += 1
    }
    while exponent > 127, mantissa <= .max / 10 {
      mantissa *= 10
      exponent -= 1
    }
    if mantissa == 0 { (exponent, isNegative) = (0, false) }
    guard (-128...127).contains(exponent) else { return nil }
  }

  /// The parts as JSON.
  var tree: JSONTree {
    let words = (0..<8).map { Int64(truncatingIfNeeded: mantissa >> ($0 * 16) & 0xFFFF) }
    let length = Int64((words.lastIndex { $0 != 0 } ?? -1) + 1)
    return .object([
      "exponent": .integer(Int64(exponent)), "length": .integer(length), "isNegative": .boolean(isNegative),
      "isCompact": .boolean(true), "mantissa": .array(words.map { .integer($0) }),
    ])
  }
}
