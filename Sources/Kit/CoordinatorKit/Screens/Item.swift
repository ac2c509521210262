/// One row of a list. The event ``Event/select`` with the payload `{id}` chooses it.
public struct Item: Sendable, Hashable {
  /// The id in the payload of `select`; unique in its list, and stable.
  public var id: String
  /// The title that the user reads.
  public var title: String
  /// A second, less prominent line.
  public var subtitle: String?

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - id: the id in the payload of `select`; unique in its list, and stable.
  ///   - title: the title that the user reads.
  ///   - subtitle: a second, less prominent line.
  public init(_ id: String, _ title: String, subtitle: String? = nil) {
    self.id = id
    self.title = title
    self.subtitle = subtitle
  }
}
