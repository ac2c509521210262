import CoordinatorKit

/// A live root coordinator.
struct LiveRoot: Sendable {
  let name: String
  /// The number of the root, in the order in which roots were started.
  let sequence: UInt64
  let request: StartRequest
  let tree: FlowTree
  /// A number that changes whenever anything about the root changes.
  var stamp: UInt64 = 0
  /// The last published state of the tree. All reads are answered from it, so that they never wait for a handler.
  var state: TreeState
  var clients = RootClients()
  /// The announced reasons why coordinators are held.
  var holds: [CoordinatorPath: String] = [:]
  /// The latest progress of each screen whose work has reported progress since the screen was last updated.
  var progress: [ScreenID: Progress] = [:]

  /// Drops progress that a transition has made obsolete.
  mutating func dropProgress(_ publication: Publication) {
    for gone in publication.dismissed { progress[gone.screen] = nil }
    for updated in publication.updated where updated.keys.contains(.progress) { progress[updated.screen.id] = nil }
  }
}
