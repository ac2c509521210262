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
