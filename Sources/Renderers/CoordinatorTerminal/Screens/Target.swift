/// A part of a screen that keys can be for, and that can be clicked.
enum Stop: Sendable, Hashable {
  /// The rows of a list.
  case list
  /// A field, by its index.
  case field(Int)
  /// An action, by its index.
  case action(Int)
}

/// What a click hits.
enum Target: Sendable, Hashable {
  /// A row of a list, by its index in the whole list.
  case item(Int)
  case field(Int)
  /// A choice of a field.
  case choice(field: Int, Int)
  case action(Int)
}
