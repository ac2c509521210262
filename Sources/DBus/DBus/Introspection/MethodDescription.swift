/// The description of a method of an interface.
public struct MethodDescription: Sendable, Hashable {
  /// The method's name.
  public var name: String
  /// Its input arguments, in order.
  public var inputs: [Argument] { didSet { inputSignature = inputs.joinedSignature } }
  /// Its output arguments, in order.
  public var outputs: [Argument] { didSet { outputSignature = outputs.joinedSignature } }
  /// Its annotations.
  public var annotations: [Annotation]
  /// The type codes of `inputs`, as in the signature of a call.
  public private(set) var inputSignature: String
  /// The type codes of `outputs`, as in the signature of a reply.
  public private(set) var outputSignature: String

  /// Creates the description of a method.
  public init(_ name: String, inputs: [Argument] = [], outputs: [Argument] = [], annotations: [Annotation] = []) {
    self.name = name
    self.inputs = inputs
    self.outputs = outputs
    self.annotations = annotations
    inputSignature = inputs.joinedSignature
    outputSignature = outputs.joinedSignature
  }
}
