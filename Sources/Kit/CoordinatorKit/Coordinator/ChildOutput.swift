/// A value that a living child has told its parent; see ``Coordinator/emit(_:secrets:)``.
public struct ChildOutput: Sendable {
  /// The child that emitted the value.
  public let child: Child
  let value: any Codable & Sendable

  /// Returns the value that a child of the given type has emitted.
  ///
  /// ```swift
  /// if let output = output.value(from: NetworkSetup.self) { … }
  /// ```
  ///
  /// - Parameter type: the coordinator type whose flow the child may run.
  /// - Returns: the value, or nil if the child runs another flow.
  public func value<C: Coordinator>(from type: C.Type) -> C.Output? {
    guard child.isInstance(of: type) else { return nil }
    // The flow may be served by another process, and then emits JSON.
    return value as? C.Output ?? (value as? ProvidedValues).flatMap { try? $0.json.decoded() }
  }

  /// The value as JSON; nil if it cannot be encoded. For children whose type is not known here.
  public var json: JSONValue? { JSONValue(of: value) }
}
