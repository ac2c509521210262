import CoordinatorBus
import CoordinatorKit
import DBus

/// A live root coordinator.
struct LiveRoot: Sendable {
  let name: String
  /// The number of the root, in the order in which roots were started.
  let sequence: UInt64
  let request: StartRequest
  let tree: FlowTree
  /// A number that changes whenever the root changes.
  var stamp: UInt64 = 0
  /// The last published state of the tree. All reads are answered from it, so that they never wait for a handler.
  var state: TreeState
  /// The last transition that the history records; nil if it is not known after a restart.
  var last: LastTransition?
  var clients = RootClients()
  /// The announced reasons why coordinators are held.
  var holds: [CoordinatorPath: String] = [:]
  /// The latest progress of each screen whose work has reported progress since the screen was last updated.
  var progress: [ScreenID: Progress] = [:]

  /// Records a transition as the last one, unless the history leaves it out.
  mutating func note(_ publication: Publication) {
    if let transition = LastTransition(publication) { last = transition }
  }

  /// Drops progress that a transition has made obsolete.
  mutating func dropProgress(_ publication: Publication) {
    for gone in publication.dismissed { progress[gone.screen] = nil }
    for updated in publication.updated where updated.keys.contains(.progress) { progress[updated.screen.id] = nil }
  }
}

extension LastTransition {
  /// Describes a transition; nil if the history leaves it out.
  init?(_ publication: Publication) {
    guard publication.occasion.kind.isInHistory else { return nil }
    self.init(publication.occasion, at: publication.time)
  }
}

/// A root coordinator that is being started.
struct StartingRoot: Sendable {
  let request: StartRequest
  let sequence: UInt64
  var tree: FlowTree?
  var waiters: [StartWaiter] = []
}

/// An ended root coordinator that is remembered.
struct EndedRoot: Sendable {
  let path: CoordinatorPath
  let flow: String
  /// The digest of the request that started the root, which determines whether a later request is the same.
  let asked: Digest
  /// Whether the root was started with a token, so that it can be requested again.
  let hasToken: Bool
  let outcome: ToldOutcome
  let requests: RequestLedger
}

/// The root coordinators that have ended most recently, by name. The oldest are forgotten.
///
/// A value that makes decisions.
struct EndedRoots: Sendable {
  /// The maximum number of roots that are remembered.
  let capacity: Int
  private var roots: [String: EndedRoot] = [:]
  /// The names in the order in which the roots ended; those before `first` are forgotten.
  private var order: [String] = []
  private var first = 0

  /// Creates an empty record with a capacity.
  init(capacity: Int) { self.capacity = capacity }

  /// The root with a name; nil if none has ended under it, or if it is forgotten.
  subscript(name: String) -> EndedRoot? { roots[name] }

  /// The names of the roots that are remembered, in no order.
  var names: Set<String> { Set(roots.keys) }

  /// Returns the roots that ended most recently, oldest first.
  ///
  /// - Parameter count: the maximum number of roots.
  /// - Returns: the roots, at most `count`.
  func newest(_ count: Int) -> [EndedRoot] { order[first...].suffix(count).compactMap { roots[$0] } }

  /// Forgets a root.
  mutating func forget(_ name: String) {
    guard roots.removeValue(forKey: name) != nil, let index = order[first...].firstIndex(of: name) else { return }
    order.remove(at: index)
  }

  /// Remembers a root, and forgets the oldest ones beyond the capacity.
  mutating func remember(_ root: EndedRoot) {
    let name = String(root.path.root)
    if roots.updateValue(root, forKey: name) == nil { order.append(name) }
    while roots.count > capacity && first < order.count {
      roots[order[first]] = nil
      first += 1
    }
    if first > 1_024 && first * 2 > order.count {
      order.removeFirst(first)
      first = 0
    }
  }
}

/// The outcome of a flow, in the form that clients receive.
struct ToldOutcome: Sendable, Hashable {
  let outcome: Outcome
  /// Whether the daemon ended the flow because it persists nothing and ends itself.
  var wasStopped = false

  /// The outcome and its result, as `RunFlow` and `GetOutcome` return them. If a flow was cancelled because the daemon ends,
  /// the result states this.
  var values: [Value] {
    let isStopped = wasStopped && outcome == .cancelled
    return [.string(outcome.name), isStopped ? .vardict(["reason": .string("stopped")]) : outcome.resultValue]
  }

  /// Returns whether replies with it must be sent in turn, each when there is room, because there are many of them, or a few
  /// large ones.
  ///
  /// - Parameter count: the number of replies.
  /// - Returns: whether they must be sent in turn.
  func mustBeSentInTurn(to count: Int) -> Bool { count > 16 || (count > 1 && outcome.roughSize > LargeAnswer.size) }
}
