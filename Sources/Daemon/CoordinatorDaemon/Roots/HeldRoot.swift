import CoordinatorJournal
import CoordinatorKit
import DBus

/// A root coordinator whose tree cannot be taken up: no event reaches it, and nothing of what is stored of it is changed (rule 10).
struct HeldRoot: Sendable {
  /// What is known of how it was asked for.
  enum Origin: Sendable {
    case known(StoredRoot)
    /// Its own row cannot be read.
    case damaged(DamagedRoot)
  }

  let origin: Origin
  /// Why it is held, for people.
  private(set) var reason: String
  /// Its tree's revision as it is stored; 0 if that cannot be read.
  private(set) var revision: UInt64
  /// The answers that are kept, as far as they can be read.
  private(set) var requests: RequestLedger
  private(set) var outline: TreeOutline
  private var coordinators: [CoordinatorPath: HostedCoordinator] = [:]
  var clients = RootClients()
  /// Whether its end is being stored: it is not taken up meanwhile.
  var isEnding = false
  /// The calls that are looked at once more when that is over.
  var waitingCalls: [IncomingCall] = []

  /// A root that is held.
  ///
  /// - Parameters:
  ///   - root: how it was asked for.
  ///   - outline: what is known of its tree; nil if nothing could be read.
  ///   - reason: why.
  init(_ root: StoredRoot, _ outline: TreeOutline?, reason: String) {
    self.init(.known(root), outline ?? TreeOutline(root: CoordinatorPath(root: root.name)), reason: reason)
  }

  /// A root that is held because its own row cannot be read.
  init(_ root: DamagedRoot) {
    self.init(
      .damaged(root), TreeOutline(root: CoordinatorPath(root: root.name)),
      reason: "what is stored of it cannot be read: \(root.reason)")
  }

  private init(_ origin: Origin, _ outline: TreeOutline, reason: String) {
    self.origin = origin
    self.reason = reason
    self.outline = outline
    revision = outline.revision
    requests = RequestLedger(readable: outline.requests)
    coordinators = table(of: outline)
  }

  /// Notes that it was tried again, and is held still.
  ///
  /// - Parameters:
  ///   - outline: what is known of its tree now; nil if nothing could be read, which makes nothing unknown that was known.
  ///   - reason: why.
  mutating func hold(_ outline: TreeOutline?, reason: String) {
    self.reason = reason
    guard let outline else { return }
    self.outline = outline
    revision = outline.revision
    requests = RequestLedger(readable: outline.requests)
    coordinators = table(of: outline)
  }

  /// How its end is kept. Of one whose row cannot be read, that replaces the row.
  var asStored: StoredRoot {
    switch origin {
    case .known(let root): root
    case .damaged(let root): root.asEnded
    }
  }

  // MARK: What was asked for

  var path: CoordinatorPath { outline.root }
  var name: String { String(path.root) }
  /// The order in which roots were started.
  var sequence: UInt64 { asStored.sequence }
  /// The name of its flow; "" if it cannot be read.
  var flow: String { asStored.flow }
  /// The token that it was started with.
  var token: String? { asStored.hasToken ? name : nil }
  /// The caller that it ends with, once it is taken up.
  var owner: StoredRoot.Owner? { asStored.owner }

  /// Whether a request with its token asks for the same; nil if that cannot be told.
  func isSame(as request: StartRequest) -> Bool? {
    switch origin {
    case .known(let root): root.hasToken && request.isFor(root.digest)
    case .damaged(let root): root.hasToken ? nil : false
    }
  }

  // MARK: Its coordinators

  /// A coordinator, as far as it is known; nil if nothing is known of it.
  func coordinator(at path: CoordinatorPath) -> HostedCoordinator? { coordinators[path] }

  /// The paths of the coordinators that are known, parents before children and siblings in the order in which they were started.
  var paths: [CoordinatorPath] {
    coordinators.keys.sorted { ($0.depth, $0.numberInParent, $0.text) < ($1.depth, $1.numberInParent, $1.text) }
  }

  /// How a child ended; nil if it is not known.
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
