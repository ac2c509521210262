/// An event: what a user did on a screen, or what a script or hardware button requested without one.
public struct Event: Sendable {
  /// The event that chooses a row of a list; its payload is `{id}`.
  public static let select = "select"

  /// The name of the event: the id of an action, or ``select``.
  public let name: String
  /// The payload. If the event comes from a screen, it has been checked against the screen's schema.
  public let payload: Payload
  /// The screen that the event came from; nil if it did not come from a screen.
  public let screen: ScreenID?

  /// The id of the chosen row.
  ///
  /// ```swift
  /// router.present(.quote(id: try event.selection))
  /// ```
  ///
  /// - Throws: ``notTaken`` unless the event is ``select``.
  public var selection: String {
    get throws(EventNotTaken) {
      guard name == Self.select, let id = payload.string("id") else { throw notTaken }
      return id
    }
  }

  /// The ids of the chosen rows of a list from which several can be chosen; see ``Screen/choosing(_:initial:)``.
  ///
  /// - Throws: ``notTaken`` unless the event is ``select``.
  public var selections: [String] {
    get throws(EventNotTaken) {
      if let ids = payload.array("ids"), name == Self.select { return ids.compactMap(\.string) }
      return [try selection]
    }
  }

  /// Returns the menu choice that the event's name stands for.
  ///
  /// ```swift
  /// state.visit = try event.choice()
  /// ```
  ///
  /// - Parameter type: the type whose raw values are the names of the events.
  /// - Returns: the case whose raw value is the event's name.
  /// - Throws: ``notTaken`` if no case has that raw value.
  public func choice<Choice: MenuChoice>(as type: Choice.Type = Choice.self) throws(EventNotTaken) -> Choice {
    guard let choice = Choice(rawValue: name) else { throw notTaken }
    return choice
  }

  /// Returns the action that the event's name stands for, as a case of an enum, so that the compiler finds a misspelt
  /// event.
  ///
  /// ```swift
  /// enum Do: String { case submit, cancel }
  ///
  /// switch try event.action(as: Do.self) {
  /// case .submit: try startWork(.logIn)
  /// case .cancel: cancel()
  /// }
  /// ```
  ///
  /// - Parameter type: the enum whose raw values are the ids of the actions.
  /// - Returns: the case whose raw value is the event's name.
  /// - Throws: ``notTaken`` if no case has that raw value.
  public func action<Name: RawRepresentable<String>>(as type: Name.Type = Name.self) throws(EventNotTaken) -> Name {
    guard let action = Name(rawValue: name) else { throw notTaken }
    return action
  }

  /// The error that a handler throws to leave this event to the parent, up to the root (rule 9).
  ///
  /// What the handler changed before it threw is dropped.
  public var notTaken: EventNotTaken { EventNotTaken(event: name) }
}

/// The error of a handler that leaves an event to its parent; see ``Event/notTaken``.
public struct EventNotTaken: Error, Sendable, Hashable {
  /// The name of the event.
  public let event: String
}
