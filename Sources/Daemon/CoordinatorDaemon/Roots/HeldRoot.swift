import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus

/// A root coordinator whose tree cannot be restored. It receives no events, and its stored data does not change (rule 10).
struct HeldRoot: Sendable {
  /// The known part of the request that started the root.
  enum Origin: Sendable {
    case known(StoredRoot)
    /// The root's own row cannot be read.
    case damaged(DamagedRoot)
  }

  let origin: Origin
  /// The reason why the root is held, for users.
  private(set) var reason: String
  /// The stored revision of the tree; 0 if it cannot be read.
  private(set) var revision: UInt64
  /// The stored answers, as far as they can be read.
  private(set) var requests: RequestLedger
  private(set) var outline: TreeOutline
  private var coordinators: [CoordinatorPath: HostedCoordinator] = [:]
  /// The last transition of the tree; nil if it is not known.
  var last: LastTransition?
  var clients = RootClients()
  /// Whether the end of the root is being stored. A root that is ending is not restored.
  var isEnding = false
  /// The calls to redeliver once it is known whether the root has ended.
  var waitingCalls: [IncomingCall] = []

  /// Creates a held root.
  ///
  /// - Parameters:
  ///   - root: the stored data of the root.
  ///   - outline: the known part of its tree; nil if nothing could be read.
  ///   - reason: the reason why it is held.
  init(_ root: StoredRoot, _ outline: TreeOutline?, reason: String) {
    self.init(.known(root), outline ?? TreeOutline(root: CoordinatorPath(root: root.name)), reason: reason)
  }

  /// Creates a root that is held because its own row cannot be read.
  init(_ root: DamagedRoot) {
    self.init(
      .damaged(root), TreeOutline(root: CoordinatorPath(root: root.name)),
      reason: "its stored state cannot be read: \(root.reason)")
  }

  private init(_ origin: Origin, _ outline: TreeOutline, reason: String) {
    self.origin = origin
    self.reason = reason
    self.outline = outline
    revision = outline.revision
    requests = RequestLedger(readable: outline.requests)
    coordinators = table(of: outline)
  }

  /// Updates the root after another attempt to restore its tree has failed.
  ///
  /// - Parameters:
  ///   - outline: the part of its tree that is known now; nil if nothing could be read, which leaves the known outline in
  ///     place.
  ///   - reason: the new reason.
  mutating func hold(_ outline: TreeOutline?, reason: String) {
    self.reason = reason
    guard let outline else { return }
    self.outline = outline
    revision = outline.revision
    requests = RequestLedger(readable: outline.requests)
    coordinators = table(of: outline)
  }

  /// The data to store with the root's end. For a root whose row cannot be read, it replaces the row.
  var asStored: StoredRoot {
    switch origin {
    case .known(let root): root
    case .damaged(let root): root.asEnded
    }
  }

  // MARK: The request

  var path: CoordinatorPath { outline.root }
  var name: String { String(path.root) }
  /// The number of the root, in the order in which roots were started.
  var sequence: UInt64 { asStored.sequence }
  /// The name of the root's flow; "" if it cannot be read.
  var flow: String { asStored.flow }
  /// The token that the root was started with; nil for none.
  var token: String? { asStored.hasToken ? name : nil }
  /// The caller whose departure ends the root once it is restored.
  var owner: StoredRoot.Owner? { asStored.owner }

  /// Returns whether a request with the root's token is the same as the one that started it; nil if that is unknown.
  func isSame(as request: StartRequest) -> Bool? {
    switch origin {
    case .known(let root): root.hasToken && request.isFor(root.digest)
    case .damaged(let root): root.hasToken ? nil : false
    }
  }

  // MARK: Coordinators

  /// Returns a coordinator, as far as known; nil if it is unknown.
  func coordinator(at path: CoordinatorPath) -> HostedCoordinator? { coordinators[path] }

  /// The paths of the known coordinators, parents before children, and siblings in the order in which they were
  /// started.
  var paths: [CoordinatorPath] {
    coordinators.keys.sorted { ($0.depth, $0.numberInParent, $0.text) < ($1.depth, $1.numberInParent, $1.text) }
  }

  /// Returns the outcome of an ended child; nil if it is unknown.
  func outcome(of child: CoordinatorPath) -> Outcome? { outline.outcomes[child] }

  private func table(of outline: TreeOutline) -> [CoordinatorPath: HostedCoordinator] {
    var table: [CoordinatorPath: HostedCoordinator] = [path: HostedCoordinator(flow: flow, startedAt: 0)]
    for known in outline.coordinators where known.path == path || path.isAncestor(of: known.path) {
      table[known.path] = HostedCoordinator(flow: known.flow, startedAt: known.startedAt)
    }
    for path in table.keys.sorted(by: { $0.numberInParent < $1.numberInParent }) {
      if let parent = path.parent { table[parent]?.children.append(path) }
    }
    return table
  }
}
