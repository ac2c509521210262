/// What a flow hands out, as JSON Schemas. They are found out from the Swift types, and say as much as those tell.
public struct FlowSchemas: Sendable, Hashable {
  /// The result of a finished coordinator: ``Coordinator/Result``.
  public let result: JSONValue
  /// What a living coordinator tells its parent: ``Coordinator/Output``; nil if it tells nothing.
  public let output: JSONValue?
}
