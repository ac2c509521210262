/// What an older version of a flow has stored of one coordinator, for ``Coordinator/migrate(_:from:)`` to bring up to date: as JSON, since
/// the types that it was made from are gone.
public struct StoredFlow: Sendable, Hashable {
  /// What it was started with.
  public var input: JSONValue
  /// What it knows.
  public var state: JSONValue
  /// What its screens were made from, bottom first. An element may be changed, but none added or taken away.
  public var routes: [JSONValue]
  /// The work that was running, in the order in which it was started. An element may be changed, but none added or taken away.
  public var work: [JSONValue]
}
