/// What happens at a time by a clock.
enum Deadline: Sendable, Hashable {
  /// The timeout of the root with this name passes.
  case timeout(String)
  /// A timer of a coordinator in the tree of the root with this name goes off.
  case timer(String)
  /// The journal notes that the machine runs.
  case noteTime
}
