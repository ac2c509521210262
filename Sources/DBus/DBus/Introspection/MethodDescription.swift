/// A method of an interface.
public struct MethodDescription: Sendable, Hashable {
  /// Its name.
  public var name: String
  /// What it takes, in order.
  public var inputs: [Argument] { didSet { inputSignature = inputs.joinedSignature } }
  /// What it answers, in order.
  public var outputs: [Argument] { didSet { outputSignature = outputs.joinedSignature } }
  /// Remarks on it.
  public var annotations: [Annotation]
  /// The type codes of `inputs`, as the signature of a call has them.
  public private(set) var inputSignature: String
  /// The type codes of `outputs`, as the signature of a reply has them.
  public private(set) var outputSignature: String

  /// Describes a method.
  public init(_ name: String, inputs: [Argument] = [], outputs: [Argument] = [], annotations: [Annotation] = []) {
    self.name = name
    self.inputs = inputs
    self.outputs = outputs
    self.annotations = annotations
    inputSignature = inputs.joinedSignature
    outputSignature = outputs.joinedSignature
  }
}
