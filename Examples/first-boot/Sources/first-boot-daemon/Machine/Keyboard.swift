/// A keyboard layout.
struct Keyboard: Sendable, Hashable {
  /// Its name in X, such as `de`.
  var layout: String
  /// Its name for people.
  var name: String
}
