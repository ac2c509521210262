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
    child.isInstance(of: type) ? value as? C.Output : nil
  }
}
