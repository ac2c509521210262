/// One argument of a method or a signal.
public struct Argument: Sendable, Hashable {
  /// Its name, for people only; empty if it has none.
  public var name: String
  /// Its type: a signature of exactly one complete type.
  public var type: Signature
  /// Remarks on it.
  public var annotations: [Annotation]

  /// Describes an argument.
  public init(_ name: String, _ type: Signature, annotations: [Annotation] = []) {
    self.name = name
    self.type = type
    self.annotations = annotations
  }
}

extension [Argument] {
  /// The signatures of all arguments in a row. Not limited to 255 bytes: who describes more than fits never gets a message of it.
  var joinedSignature: String { map(\.type.string).joined() }
}
