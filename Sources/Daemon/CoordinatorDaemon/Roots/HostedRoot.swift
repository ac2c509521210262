import CoordinatorJournal
import CoordinatorKit
import DBus

/// A root that has objects on the bus, whether it receives events or not. Reads are answered from it.
enum HostedRoot: Sendable {
  case live(LiveRoot)
  case held(HeldRoot)

  /// The reason why the whole tree is held; "" if it is live.
  var held: String {
    switch self {
    case .live: ""
    case .held(let root): root.reason
    }
  }

  var path: CoordinatorPath {
    switch self {
    case .live(let root): root.state.root
    case .held(let root): root.path
    }
  }

  /// The number of the root, in the order in which roots were started.
  var sequence: UInt64 {
    switch self {
    case .live(let root): root.sequence
    case .held(let root): root.sequence
    }
  }

  /// The name of the root's flow.
  var flow: String {
    switch self {
    case .live(let root): root.request.flow
    case .held(let root): root.flow
    }
  }

  /// The token that the root was started with; nil for none.
  var token: String? {
    switch self {
    case .live(let root): root.request.token
    case .held(let root): root.token
    }
  }

  var revision: UInt64 {
    switch self {
    case .live(let root): root.state.revision
    case .held(let root): root.revision
    }
  }

  /// The stored answers.
  var requests: RequestLedger {
    switch self {
    case .live(let root): root.state.requests
    case .held(let root): root.requests
    }
  }

  var clients: RootClients {
    switch self {
    case .live(let root): root.clients
    case .held(let root): root.clients
    }
  }

  // MARK: Coordinators

  /// Returns the reason why a coordinator is held; "" if events reach it.
  func held(of path: CoordinatorPath) -> String {
    switch self {
    case .live(let root): root.state.hold(of: path) ?? ""
    case .held(let root): root.reason
    }
  }

  /// Returns a coordinator; nil if there is none, or none is known.
  func coordinator(at path: CoordinatorPath) -> HostedCoordinator? {
    switch self {
    case .live(let root): root.state.coordinators[path].map { HostedCoordinator($0) }
    case .held(let root): root.coordinator(at: path)
    }
  }

  /// Returns the ids of a coordinator's own screens, bottom first.
  func screens(of path: CoordinatorPath) -> [ScreenID] {
    switch self {
    case .live(let root): root.state.window.ids(of: path)
    case .held: []
    }
  }

  /// The paths of the tree's coordinators, parents before children and the root first.
  var paths: [CoordinatorPath] {
    switch self {
    case .live(let root): root.state.coordinatorsInOrder.map(\.path)
    case .held(let root): root.paths
    }
  }

  /// Returns the last path elements of the objects directly below a path, except the router.
  func names(below path: CoordinatorPath) -> [String] {
    switch self {
    case .live(let root): root.state.coordinators[path]?.children.map { String($0.name) } ?? []
    // A child that cannot be read may have readable children.
    case .held(let root): Set(root.paths.compactMap { path.element(below: $0) }).sorted()
    }
  }

  /// Returns the outcome of an ended child; nil if it is unknown.
  func outcome(of child: CoordinatorPath) -> Outcome? {
    switch self {
    case .live(let root): root.state.outcomes[child]
    case .held(let root): root.outcome(of: child)
    }
  }
}

/// The readable properties of a coordinator.
struct HostedCoordinator: Sendable, Hashable {
  /// The name of the coordinator's flow.
  var flow: String
  /// When the coordinator started, in microseconds since 1970; 0 if unknown.
  var startedAt: UInt64
  /// The paths of its children, in the order in which they were started.
  var children: [CoordinatorPath] = []
}

extension HostedCoordinator {
  init(_ record: CoordinatorRecord) {
    self.init(flow: record.flow, startedAt: record.startedAt, children: record.children)
  }
}

extension CoordinatorPath {
  /// Returns the path element that follows this path in the path of a descendant; nil if `other` is not a descendant.
  fileprivate func element(below other: CoordinatorPath) -> String? {
    guard isAncestor(of: other) else { return nil }
    return String(Substring(other.text.utf8.dropFirst(text.utf8.count + 1).prefix { $0 != UInt8(ascii: "/") }))
  }
}

/// The held roots, by name. A value that decides which operations on them are allowed.
struct HeldRoots: Sendable {
  private var roots: [String: HeldRoot] = [:]

  subscript(name: String) -> HeldRoot? { roots[name] }

  var count: Int { roots.count }

  var isEmpty: Bool { roots.isEmpty }

  /// All held roots, in no particular order.
  var all: Dictionary<String, HeldRoot>.Values { roots.values }

  /// The roots to retry, in the order in which they were started. Roots whose end is being stored are omitted, as are roots
  /// whose own row cannot be read: for those, nothing can change before the next start.
  var retryable: [StoredRoot] {
    roots.values.compactMap { held in
      guard !held.isEnding, case .known(let root) = held.origin else { return nil }
      return root
    }.sorted { $0.sequence < $1.sequence }
  }

  /// Adds a held root.
  mutating func hold(_ root: HeldRoot) { roots[root.name] = root }

  /// Updates a root after another attempt to restore it has failed.
  ///
  /// - Returns: the previous value; nil if the root is no longer held.
  mutating func holdAgain(_ name: String, _ outline: TreeOutline?, reason: String) -> HeldRoot? {
    guard let before = roots[name] else { return nil }
    roots[name]?.hold(outline, reason: reason)
    return before
  }

  /// Removes a root that has been restored.
  ///
  /// - Returns: the removed root; nil if it is no longer held, or its end is being stored.
  mutating func letGo(_ name: String) -> HeldRoot? {
    guard roots[name]?.isEnding == false else { return nil }
    return roots.removeValue(forKey: name)
  }

  /// Changes the clients of a root.
  ///
  /// - Returns: the result of `change`; nil if there is no such root.
  mutating func updateClients<Result>(of name: String, _ change: (inout RootClients) -> Result) -> Result? {
    guard let index = roots.index(forKey: name) else { return nil }
    return change(&roots.values[index].clients)
  }

  // MARK: Ending

  /// Marks a root as ending.
  ///
  /// - Returns: the root, whose end the caller must store; nil if it is not held, or its end is already being stored.
  ///   In the latter case call ``wait(_:for:)``.
  mutating func beginEnd(_ name: String) -> HeldRoot? {
    guard roots[name]?.isEnding == false else { return nil }
    roots[name]?.isEnding = true
    return roots[name]
  }

  /// Makes a call wait until it is known whether a root has ended.
  mutating func wait(_ call: IncomingCall, for name: String) { roots[name]?.waitingCalls.append(call) }

  /// Removes a root whose end has been stored.
  ///
  /// - Returns: the removed root.
  mutating func hasEnded(_ name: String) -> HeldRoot? { roots.removeValue(forKey: name) }

  /// Marks a root whose end could not be stored as held again.
  ///
  /// - Returns: the calls that waited.
  mutating func hasNotEnded(_ name: String) -> [IncomingCall] {
    defer { roots[name]?.waitingCalls = [] }
    roots[name]?.isEnding = false
    return roots[name]?.waitingCalls ?? []
  }
}

/// The roots that have objects on the bus, at one moment. Any thread may read it, as large answers do.
struct ActiveRoots: Sendable {
  let live: [String: LiveRoot]
  let held: HeldRoots

  /// The roots, in the order in which they were started.
  var inOrder: [HostedRoot] {
    (live.values.map { HostedRoot.live($0) } + held.all.map { HostedRoot.held($0) }).sorted { $0.sequence < $1.sequence }
  }

  /// Returns the rows of `ListActive`, in the order in which the roots were started, except those of some flows.
  func rows(hiding hidden: Set<String>) -> Value {
    let rows = inOrder.filter { !hidden.contains($0.flow) }.map { root in
      Value.structure([
        .objectPath(root.path.objectPath), .string(root.flow), .string(root.token ?? ""),
        .uint64(root.coordinator(at: root.path)?.startedAt ?? 0),
      ])
    }
    return .array(of: .structure([.objectPath, .string, .string, .uint64]), rows)
  }
}
