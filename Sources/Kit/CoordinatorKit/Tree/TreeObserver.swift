/// Who tells the world what a flow tree did.
public protocol TreeObserver: Sendable {
  /// Is given a stored transition. The tree goes on, and answers the call that caused it, only when this has returned.
  ///
  /// - Parameter publication: what changed, and the tree as it is now.
  func publish(_ publication: Publication) async

  /// Is told how far the work on a screen has come. Belongs to no transition, and may come at any rate and from any thread.
  ///
  /// - Parameters:
  ///   - progress: how far it has come.
  ///   - screen: where to show it; it may be gone.
  ///   - root: the path of the tree's root coordinator.
  func report(_ progress: Progress, on screen: ScreenID, of root: CoordinatorPath)
}

/// Who makes transitions durable.
public protocol TransitionStore: Sendable {
  /// Stores a transition. When this returns, the transition survives a crash.
  ///
  /// - Parameter publication: what changed, and the tree as it will be.
  /// - Throws: any error, if it is not stored; then nothing changes, and the caller gets ``CallError/notStored(_:)``.
  func commit(_ publication: Publication) async throws
}
