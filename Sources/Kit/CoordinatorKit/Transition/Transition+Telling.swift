extension Transition {
  /// Schedules the delivery of a value to the parent of the coordinator that emitted it. Has no effect for a root, and
  /// for a coordinator or a parent that is about to end.
  mutating func emit(
    _ value: any Codable & Sendable, secrets: [String: Secret], from path: CoordinatorPath
  ) {
    guard isAlive(path), let parent = path.parent, isAlive(parent), let child = after.coordinators[path]?.child else { return }
    schedule(.childEmitted(ChildOutput(child: child, value: value), secrets))
  }

  /// Schedules the delivery of a message to a child. Has no effect if the child is not one of the sender's, or is about
  /// to end.
  mutating func send(
    _ message: any Codable & Sendable, secrets: [String: Secret], to child: CoordinatorPath, from path: CoordinatorPath
  ) {
    guard child.parent == path, isAlive(child) else { return }
    schedule(.parentSent(message, to: child, secrets))
  }

  /// Schedules a delivery, unless more are scheduled than may be made.
  private mutating func schedule(_ step: Step) {
    guard steps.count < limits.maxHandlers else {
      breach = breach ?? .tooManyHandlers(limits)
      return
    }
    steps.append(step)
  }
}
