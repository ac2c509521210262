import CoordinatorKit

/// A part of a screen that can receive keys and clicks.
enum Stop: Sendable, Hashable {
  /// The rows of a list.
  case list
  /// A field, by its index.
  case field(Int)
  /// The change of an answer under review, by the index of its row.
  case review(Int)
  /// An action, by its index.
  case action(Int)
}

/// The target of a click.
enum Target: Sendable, Hashable {
  /// A row of a list, by its index among all items.
  case item(Int)
  case field(Int)
  /// A choice of a field.
  case choice(field: Int, Int)
  /// The change of an answer under review, by the index of its row.
  case review(Int)
  case action(Int)
}

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

extension Array {
  /// Returns the element at an index, or nil if the index is out of range.
  subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
