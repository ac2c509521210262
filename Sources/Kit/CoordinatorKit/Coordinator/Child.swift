/// A child coordinator, as its parent sees it.
public struct Child: Sendable, Hashable, Codable {
  /// The child's place in the flow tree. Never reused, so it distinguishes two children that run the same flow.
  public let path: CoordinatorPath
  /// The name of the flow that the child runs.
  public let flow: String
  /// The input that the child was started with, by key.
  package let input: [String: JSONValue]

  /// Returns whether the child runs the flow of a coordinator type.
  ///
  /// Any client may start a child below a coordinator (`StartChild`), so check this before you act on a child.
  ///
  /// ```swift
  /// if child.isInstance(of: LogIn.self), case .finished = outcome { try startChild(ShopMain.self) }
  /// ```
  ///
  /// - Parameter type: the coordinator type to compare with.
  /// - Returns: whether the child runs that coordinator's flow.
  public func isInstance<C: Coordinator>(of type: C.Type) -> Bool { flow == C.flow.name }

  /// Returns the input that the child was started with.
  ///
  /// - Parameter type: the coordinator type whose flow the child runs.
  /// - Returns: the decoded input, or nil if the child runs another flow.
  public func input<C: Coordinator>(of type: C.Type) -> C.Input? {
    isInstance(of: type) ? try? JSONValue.object(input).decoded(as: C.Input.self) : nil
  }
}
