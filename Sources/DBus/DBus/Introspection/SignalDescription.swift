/// The description of a signal of an interface.
public struct SignalDescription: Sendable, Hashable {
  /// The signal's name.
  public var name: String
  /// Its arguments, in order.
  public var arguments: [Argument] { didSet { signature = arguments.joinedSignature } }
  /// Its annotations.
  public var annotations: [Annotation]
  /// The type codes of `arguments`, as in the signature of the message.
  public private(set) var signature: String

  /// Creates the description of a signal.
  public init(_ name: String, arguments: [Argument] = [], annotations: [Annotation] = []) {
    self.name = name
    self.arguments = arguments
    self.annotations = annotations
    signature = arguments.joinedSignature
  }
}
