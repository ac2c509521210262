/// A signature: no, one or several complete types, at most 255 bytes of type codes.
///
/// Source: D-Bus Specification, "Valid Signatures".
public struct Signature: Sendable, Hashable {
  /// The type codes, such as `a{sv}`.
  public let string: String
  /// The complete types in order.
  public let types: [SingleType]

  /// The signature of nothing, as of a message without arguments.
  public static let empty = Signature(checkedTypes: [], string: "")

  /// The only type of a signature with exactly one, such as that of a variant or of a property.
  public var single: SingleType? { types.count == 1 ? types[0] : nil }

  /// Reads type codes.
  ///
  /// - Throws: `InvalidName` for anything that is no valid signature, limits of length and nesting included.
  public init(_ string: String) throws(InvalidName) {
    var parser = SignatureParser(string)
    guard let types = parser.parse() else { throw InvalidName(string, as: .signature) }
    self.init(checkedTypes: types, string: string)
  }

  /// Writes the signature of arguments of the given types.
  ///
  /// - Throws: `InvalidName` for more than the limits of length and nesting allow, for a structure without members and
  ///   for a dictionary key that is a container.
  public init(types: [SingleType]) throws(InvalidName) {
    guard TypeShape.length(of: types) != nil else {
      // The text of an endless type would be as endless: name what is wrong, not the types.
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

  /// Whether both are written with the same codes.
  public static func == (left: Signature, right: Signature) -> Bool { left.string == right.string }

  /// Hashes the codes.
  public func hash(into hasher: inout Hasher) { hasher.combine(string) }
}

extension Signature: CustomStringConvertible {
  /// The type codes.
  public var description: String { string }
}

extension Signature: ExpressibleByStringLiteral {
  /// A signature written in the source code, also as in `Signature("a{sv}")`. A literal that is no signature is a programming
  /// error and traps: anything from outside goes through `init(_:)` as a `String`.
  public init(stringLiteral value: StaticString) {
    let string = value.description
    do {
      try self.init(string)
    } catch {
      preconditionFailure(error.description)
    }
  }
}
