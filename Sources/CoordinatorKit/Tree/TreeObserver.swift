/// Who tells the world what a flow tree did.
public protocol TreeObserver: Sendable {
  /// Is given a stored transition. The tree goes on, and answers the call that caused it, only when this has returned.
  func publish(_ publication: Publication) async

  /// Is told how far the work on a screen has come. Belongs to no transition, and may come at any rate.
  func report(_ progress: Progress, on screen: ScreenID, of root: CoordinatorPath)
}

/// Who makes transitions durable.
public protocol TransitionStore: Sendable {
  /// Stores a transition. When this returns, the transition survives a crash.
  ///
  /// - Throws: any error, if it is not stored; then nothing changes, and the caller gets ``CallError/notStored(_:)``.
  func commit(_ publication: Publication) async throws
}
