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

  /// The id of the row that was chosen.
  ///
  /// - Throws: ``notTaken`` unless the event is ``select``.
  public var selection: String {
    get throws(EventNotTaken) {
      guard name == Self.select, let id = payload.string("id") else { throw notTaken }
      return id
    }
  }

  /// The choice that a menu's event stands for: `state.visit = try event.choice()`.
  ///
  /// - Parameter type: the type whose raw values are the events.
  /// - Returns: the case that the event is the raw value of.
  /// - Throws: ``notTaken`` if it is none of them.
  public func choice<Choice: MenuChoice>(as type: Choice.Type = Choice.self) throws(EventNotTaken) -> Choice {
    guard let choice = Choice(rawValue: name) else { throw notTaken }
    return choice
  }

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
