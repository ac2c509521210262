/// Publishes what a flow tree does, for example on D-Bus.
///
/// ```swift
/// actor Counter: TreeObserver {
///   private(set) var revisions = 0
///   func publish(_ publication: Publication) { if publication.changesScreens { revisions += 1 } }
///   nonisolated func report(_ progress: Progress, on screen: ScreenID, of root: CoordinatorPath) {}
/// }
/// ```
public protocol TreeObserver: Sendable {
  /// Called after a transition was stored. Your implementation should publish the changes. The tree continues, and
  /// replies to the call that caused the transition, after this method has returned.
  ///
  /// - Parameter publication: the changes, and the new state of the tree.
  func publish(_ publication: Publication) async

  /// Called after screens changed because work reported a value that they are computed from. Your implementation should
  /// show the changes; they are not part of a transition, and the revision is the same as before.
  ///
  /// The default does nothing.
  ///
  /// - Parameters:
  ///   - live: the screens that changed, bottom first.
  ///   - state: the tree with these screens.
  func publish(live: [Publication.Updated], of state: TreeState) async

  /// Called when the work on a screen reports progress, at any rate and from any thread. Your implementation should
  /// show the progress; it is not part of a transition.
  ///
  /// - Parameters:
  ///   - progress: how far the work has progressed.
  ///   - screen: the screen that shows the progress; it may no longer exist.
  ///   - root: the path of the tree's root coordinator.
  func report(_ progress: Progress, on screen: ScreenID, of root: CoordinatorPath)
}

extension TreeObserver {
  /// Does nothing.
  public func publish(live: [Publication.Updated], of state: TreeState) async {}
}

/// Persists transitions.
///
/// ```swift
/// actor MemoryStore: TransitionStore {
///   private var tree: StoredTree?
///   let catalogue: FlowCatalogue
///   init(catalogue: FlowCatalogue) { self.catalogue = catalogue }
///
///   func commit(_ publication: Publication) throws {
///     let change = try publication.change(in: catalogue)
///     if tree == nil { tree = StoredTree(startedBy: change) } else { tree?.apply(change) }
///   }
/// }
/// ```
public protocol TransitionStore: Sendable {
  /// Called to store a transition. Your implementation should return when the transition is guaranteed to survive a
  /// crash.
  ///
  /// - Parameter publication: the changes, and the new state of the tree.
  /// - Throws: any error, if the transition was not stored. The tree then remains unchanged, and the caller receives
  ///   ``CallError/notStored(_:)``.
  func commit(_ publication: Publication) async throws
}
