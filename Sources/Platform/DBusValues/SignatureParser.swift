/// Parses the complete types of a signature byte by byte.
struct SignatureParser {
  private var rest: Substring.UTF8View
  private let isTooLong: Bool

  /// Creates a parser for `string`.
  init(_ string: String) {
    rest = Substring(string).utf8
    isTooLong = string.utf8.count > WireLimits.signatureLength
  }

  /// Parses all types; returns nil if the string is not a signature.
  mutating func parse() -> [SingleType]? {
    guard !isTooLong else { return nil }
    var types: [SingleType] = []
    while !rest.isEmpty {
      guard let type = next(arrays: 0, structures: 0) else { return nil }
      types.append(type)
    }
    return types
  }

  /// Parses one complete type inside `arrays` arrays and `structures` structures.
  private mutating func next(arrays: Int, structures: Int) -> SingleType? {
    guard let code = rest.popFirst() else { return nil }
    switch code {
    case UInt8(ascii: "a"):
      guard arrays < WireLimits.typeNesting else { return nil }
      guard rest.first == UInt8(ascii: "{") else {
        return next(arrays: arrays + 1, structures: structures).map { .array($0) }
      }
      rest.removeFirst()
      guard let key = next(arrays: arrays + 1, structures: structures), key.isBasic,
        let value = next(arrays: arrays + 1, structures: structures), rest.popFirst() == UInt8(ascii: "}")
      else { return nil }
      return .dictionary(key: key, value: value)
    case UInt8(ascii: "("):
      guard structures < WireLimits.typeNesting else { return nil }
      var members: [SingleType] = []
      while let following = rest.first, following != UInt8(ascii: ")") {
        guard let member = next(arrays: arrays, structures: structures + 1) else { return nil }
        members.append(member)
      }
      guard rest.popFirst() != nil, !members.isEmpty else { return nil }
      return .structure(members)
    default:
      return Self.simple(code)
    }
  }

  private static func simple(_ code: UInt8) -> SingleType? {
    switch code {
    case UInt8(ascii: "y"): .byte
    case UInt8(ascii: "b"): .boolean
    case UInt8(ascii: "n"): .int16
    case UInt8(ascii: "q"): .uint16
    case UInt8(ascii: "i"): .int32
    case UInt8(ascii: "u"): .uint32
    case UInt8(ascii: "x"): .int64
    case UInt8(ascii: "t"): .uint64
    case UInt8(ascii: "d"): .double
    case UInt8(ascii: "s"): .string
    case UInt8(ascii: "o"): .objectPath
    case UInt8(ascii: "g"): .signature
    case UInt8(ascii: "v"): .variant
    default: nil
    }
  }
}
