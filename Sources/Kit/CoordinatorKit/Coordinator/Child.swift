/// A child as its parent sees it.
public struct Child: Sendable, Hashable, Codable {
  /// Where it stands in the flow tree; unique for ever, so that two children of one flow are told apart.
  public let path: CoordinatorPath
  /// The name of its flow.
  public let flow: String
  /// What it was started with.
  let input: [String: JSONValue]

  /// Whether it runs the flow of the given coordinator.
  ///
  /// Anybody may start a child below a coordinator (`StartChild`), so a parent asks before it draws conclusions.
  ///
  /// - Parameter type: the coordinator of the flow in question.
  /// - Returns: whether the child runs that flow.
  public func isInstance<C: Coordinator>(of type: C.Type) -> Bool { flow == C.flow.name }

  /// What it was started with.
  ///
  /// - Parameter type: the coordinator of the flow that it is taken to run.
  /// - Returns: its input; nil if it runs another flow.
  public func input<C: Coordinator>(of type: C.Type) -> C.Input? {
    isInstance(of: type) ? try? JSONValue.object(input).decoded(as: C.Input.self) : nil
  }
}
