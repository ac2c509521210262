import CoordinatorKit

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
    // A child that cannot be read may have children that can.
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
