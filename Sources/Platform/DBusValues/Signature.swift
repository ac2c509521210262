/// A signature: zero or more complete types, at most 255 bytes of type codes.
///
/// Source: D-Bus Specification, "Valid Signatures".
public struct Signature: Sendable, Hashable {
  /// The type codes, such as `a{sv}`.
  public let string: String
  /// The complete types in order.
  public let types: [SingleType]

  /// The empty signature, such as that of a message without arguments.
  public static let empty = Signature(checkedTypes: [], string: "")

  /// The type of a signature with exactly one complete type, such as that of a variant or a property; nil for any
  /// other.
  public var single: SingleType? { types.count == 1 ? types[0] : nil }

  /// Parses type codes.
  ///
  /// - Throws: `InvalidName` if `string` is not a valid signature, including the limits of length and nesting.
  public init(_ string: String) throws(InvalidName) {
    var parser = SignatureParser(string)
    guard let types = parser.parse() else { throw InvalidName(string, as: .signature) }
    self.init(checkedTypes: types, string: string)
  }

  /// Creates the signature of arguments of the given types.
  ///
  /// - Throws: `InvalidName` if the limits of length or nesting are exceeded, a structure has no members, or a
  ///   dictionary key is a container.
  public init(types: [SingleType]) throws(InvalidName) {
    guard TypeShape.length(of: types) != nil else {
      // Does not include the types: the textual form of an overlong type would be just as long.
      throw InvalidName("(types)", as: .signature)
    }
    var string = ""
    for type in types { type.append(to: &string) }
    self.init(checkedTypes: types, string: string)
  }

  private init(checkedTypes: [SingleType], string: String) {
    self.types = checkedTypes
    self.string = string
  }

  /// Returns whether both signatures have the same type codes.
  public static func == (left: Signature, right: Signature) -> Bool { left.string == right.string }

  /// Hashes the type codes.
  public func hash(into hasher: inout Hasher) { hasher.combine(string) }
}

extension Signature: CustomStringConvertible {
  /// The type codes.
  public var description: String { string }
}

extension Signature: ExpressibleByStringLiteral {
  /// Creates a signature from a literal in the source code, including `Signature("a{sv}")`. A literal that is not a
  /// valid signature is a programming error and traps; pass external input to `init(_:)` as a `String`.
  public init(stringLiteral value: StaticString) {
    let string = value.description
    do {
      try self.init(string)
    } catch {
      preconditionFailure(error.description)
    }
  }
}

/// The error for a string that is not a valid name, path or signature of the kind it was used as.
public struct InvalidName: Error, Sendable, Hashable {
  /// The kinds of names.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case interface = "interface"
    case member = "member"
    case busName = "bus name"
    case errorName = "error name"
    case objectPath = "object path"
    case pathElement = "path element"
    case signature = "signature"
  }

  /// The invalid string, which may contain anything.
  public let name: String
  /// The kind of name that it was used as.
  public let kind: Kind

  /// Creates an error that says that `name` is not a valid `kind`.
  public init(_ name: String, as kind: Kind) {
    self.name = name
    self.kind = kind
  }
}

extension InvalidName: CustomStringConvertible {
  /// The error on one line, safe to log: at most 80 characters of the name, with unprintable ones escaped.
  public var description: String {
    var shown = ""
    for scalar in name.unicodeScalars.prefix(80) { shown += scalar.escaped(asASCII: true) }
    if name.unicodeScalars.count > 80 { shown += "…" }
    return "\"\(shown)\" is not a valid \(kind.rawValue)"
  }
}

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
