import CoordinatorKit

/// The intent of a key on a screen.
enum Intent: Sendable, Hashable {
  /// The content of a form has changed.
  case edited
  /// This number of answers of the form are wrong.
  case rejected(Int)
  /// Only the appearance has changed.
  case moved
  /// Delegate an event to the coordinator.
  case delegate(event: String, payload: [String: JSONValue])
  /// The chosen part cannot be chosen now, for this reason.
  case blocked(String)
  /// Go back.
  case back
  /// Leave the renderer; the flow continues.
  case leave
  /// Show the help for the keys.
  case help
}
