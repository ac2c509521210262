/// An argument of a method or signal.
public struct Argument: Sendable, Hashable {
  /// The argument's name, for people only; empty if it has none.
  public var name: String
  /// The argument's type: a signature of exactly one complete type.
  public var type: Signature
  /// The argument's annotations.
  public var annotations: [Annotation]

  /// Creates the description of an argument.
  public init(_ name: String, _ type: Signature, annotations: [Annotation] = []) {
    self.name = name
    self.type = type
    self.annotations = annotations
  }
}

extension [Argument] {
  /// The concatenated signatures of all arguments. Not limited to 255 bytes: a longer signature never matches a
  /// message.
  var joinedSignature: String { map(\.type.string).joined() }
}
