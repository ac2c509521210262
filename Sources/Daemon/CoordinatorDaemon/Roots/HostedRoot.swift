import CoordinatorKit

/// A root that has objects on the bus: what reads are answered from, whether events reach it or not.
enum HostedRoot: Sendable {
  case live(LiveRoot)
  case held(HeldRoot)

  /// Why no event reaches it; "" if events do.
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

  /// The order in which roots were started.
  var sequence: UInt64 {
    switch self {
    case .live(let root): root.sequence
    case .held(let root): root.sequence
    }
  }

  /// The name of its flow.
  var flow: String {
    switch self {
    case .live(let root): root.request.flow
    case .held(let root): root.flow
    }
  }

  /// The token that it was started with.
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

  /// The answers that are kept.
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

  // MARK: Its coordinators

  /// A coordinator; nil if there is none, or none is known.
  func coordinator(at path: CoordinatorPath) -> HostedCoordinator? {
    switch self {
    case .live(let root): root.state.coordinators[path].map { HostedCoordinator($0) }
    case .held(let root): root.coordinator(at: path)
    }
  }

  /// The ids of a coordinator's own screens, bottom first.
  func screens(of path: CoordinatorPath) -> [ScreenID] {
    switch self {
    case .live(let root): root.state.window.ids(of: path)
    case .held: []
    }
  }

  /// The paths of its coordinators, parents before children, the root first.
  var paths: [CoordinatorPath] {
    switch self {
    case .live(let root): root.state.coordinatorsInOrder.map(\.path)
    case .held(let root): root.paths
    }
  }

  /// The last elements of the paths of the objects right below one, but for the router's.
  func names(below path: CoordinatorPath) -> [String] {
    switch self {
    case .live(let root): root.state.coordinators[path]?.children.map { String($0.name) } ?? []
    // Of a child that cannot be read there may be children that can.
    case .held(let root): Set(root.paths.compactMap { path.element(below: $0) }).sorted()
    }
  }

  /// How a child ended; nil if it is not known.
  func outcome(of child: CoordinatorPath) -> Outcome? {
    switch self {
    case .live(let root): root.state.outcomes[child]
    case .held(let root): root.outcome(of: child)
    }
  }
}

/// What can be read of a coordinator.
struct HostedCoordinator: Sendable, Hashable {
  /// The name of its flow.
  var flow: String
  /// In microseconds since 1970; 0 if it is not known.
  var startedAt: UInt64
  /// In the order in which they were started.
  var children: [CoordinatorPath] = []
}

extension HostedCoordinator {
  init(_ record: CoordinatorRecord) {
    self.init(flow: record.flow, startedAt: record.startedAt, children: record.children)
  }
}

extension CoordinatorPath {
  /// The name that follows on this path in that of a coordinator below it; nil if it is not below.
  fileprivate func element(below other: CoordinatorPath) -> String? {
    guard isAncestor(of: other) else { return nil }
    return other.text.dropFirst(text.count + 1).prefix { $0 != "/" }.description
  }
}
