/// What a user did on a screen, or what a script or a button did without one.
public struct Event: Sendable {
  /// The event by which a row of a list is chosen; its payload is `{id}`.
  public static let select = "select"

  /// The name: the id of the action, or ``select``.
  public let name: String
  /// What came with it, already checked against the screen's schema.
  public let payload: Payload
  /// The screen it came from; nil if it came from none.
  public let screen: ScreenID?

  /// The id of the row that was chosen; nil unless the event is ``select``.
  public var selection: String? { name == Self.select ? payload.string("id") : nil }

  /// What a handler throws that does not take this event: it goes to the parent, up to the root (rule 9).
  ///
  /// What the handler changed before it threw is dropped.
  public var notTaken: EventNotTaken { EventNotTaken(event: name) }
}

/// Thrown by a handler that leaves an event to its parent.
public struct EventNotTaken: Error, Sendable, Hashable {
  /// The name of the event.
  public let event: String
}
