/// A signal of an interface.
public struct SignalDescription: Sendable, Hashable {
  /// Its name.
  public var name: String
  /// What it says, in order.
  public var arguments: [Argument] { didSet { signature = arguments.joinedSignature } }
  /// Remarks on it.
  public var annotations: [Annotation]
  /// The type codes of `arguments`, as the signature of the message has them.
  public private(set) var signature: String

  /// Describes a signal.
  public init(_ name: String, arguments: [Argument] = [], annotations: [Annotation] = []) {
    self.name = name
    self.arguments = arguments
    self.annotations = annotations
    signature = arguments.joinedSignature
  }
}
