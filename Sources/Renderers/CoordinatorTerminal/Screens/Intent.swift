import CoordinatorKit

/// What a key on a screen leads to.
enum Intent: Sendable, Hashable {
  /// Something that was typed or chosen in a form has changed.
  case edited
  /// Something else looks different now.
  case moved
  /// Tell the coordinator.
  case delegate(event: String, payload: [String: JSONValue])
  /// Go back.
  case back
  /// Leave the renderer; the flow goes on.
  case leave
  /// Explain the keys.
  case help
}
