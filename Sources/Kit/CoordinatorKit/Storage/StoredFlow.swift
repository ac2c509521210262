/// What an older version of a flow stored for one coordinator, for ``Coordinator/migrate(_:from:)`` to convert. The
/// values are JSON, because the types that they were encoded from no longer exist.
///
/// ```swift
/// static func migrate(_ stored: inout StoredFlow, from version: Int) {
///   stored.state = ["network": stored.state["ssid"] ?? ""]
/// }
/// ```
public struct StoredFlow: Sendable, Hashable {
  /// The input that the coordinator was started with.
  public var input: JSONValue
  /// The state of the coordinator.
  public var state: JSONValue
  /// The routes of its screens, bottom first. Elements may be changed, but not added or removed.
  public var routes: [JSONValue]
  /// The work that was running, in the order in which it was started. Elements may be changed, but not added or
  /// removed.
  public var work: [JSONValue]
  /// The timers, in the order in which they were started. Elements may be changed, but not added or removed.
  public var timers: [JSONValue] = []
}
