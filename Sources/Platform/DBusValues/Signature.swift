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
