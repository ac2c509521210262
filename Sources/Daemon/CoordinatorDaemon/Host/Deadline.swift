/// What happens to a flow at a time by the wall clock.
enum Deadline: Sendable, Hashable {
  /// The timeout of the root with this name passes.
  case timeout(String)
  /// A timer of a coordinator in the tree of the root with this name goes off.
  case timer(String)
}
