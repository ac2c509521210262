/// A child as its parent sees it.
public struct Child: Sendable, Hashable {
  /// Where it stands in the flow tree; unique for ever, so that two children of one flow are told apart.
  public let path: CoordinatorPath
  /// The name of its flow.
  public let flow: String

  /// Whether it runs the flow of the given coordinator.
  public func isInstance<C: Coordinator>(of type: C.Type) -> Bool { flow == C.flow.name }
}
