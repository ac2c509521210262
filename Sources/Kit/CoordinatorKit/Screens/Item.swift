/// One row of a list, chosen by the event ``Event/select`` with the payload `{id}`.
public struct Item: Sendable, Hashable {
  /// What `select` names; unique in its list, and stable.
  public var id: String
  /// What the user reads.
  public var title: String
  /// A second, quieter line.
  public var subtitle: String?

  /// A row that is chosen by `id`.
  ///
  /// - Parameters:
  ///   - id: what `select` names; unique in its list, stable.
  ///   - title: what the user reads.
  ///   - subtitle: a second, quieter line.
  public init(_ id: String, _ title: String, subtitle: String? = nil) {
    self.id = id
    self.title = title
    self.subtitle = subtitle
  }
}
