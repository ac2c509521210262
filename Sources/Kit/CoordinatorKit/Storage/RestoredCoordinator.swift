/// A stored coordinator, decoded by its flow.
struct RestoredCoordinator: Sendable {
  var input: [String: JSONValue]
  var state: any FlowState
  /// The routes of its screens, bottom first.
  var routes: [any RouteValue]
  /// The work, as many pieces as were stored.
  var work: [any Codable & Sendable]
  /// The timers, as many as were stored.
  var timers: [any Codable & Hashable & Sendable]
}

extension Coordinator {
  /// Decodes a coordinator that was stored by this flow or by an older version of it. `known` caches decoded routes.
  static func restore(
    _ stored: StoredCoordinator, routes: [String], known: DecodedTexts<Route>
  ) throws -> RestoredCoordinator {
    guard stored.version != flow.version else {
      return RestoredCoordinator(
        // Skips the decoder in the most common case: most flows take no input.
        input: stored.input == "{}" ? [:] : try StoredText.decode([String: JSONValue].self, from: stored.input),
        state: try StoredText.decode(State.self, from: stored.state),
        routes: try routes.map { try known.value(of: $0) },
        work: try stored.work.map { try StoredText.decode(Work.self, from: $0.work) },
        timers: try stored.belongings?.timers?.map { try StoredText.decode(Timer.self, from: $0.timer) } ?? [])
    }
    guard stored.version < flow.version else {
      throw RestoringError.newerVersion(flow.name, stored: stored.version, known: flow.version)
    }
    var old = StoredFlow(
      input: try StoredText.decode(JSONValue.self, from: stored.input),
      state: try StoredText.decode(JSONValue.self, from: stored.state),
      routes: try routes.map { try StoredText.decode(JSONValue.self, from: $0) },
      work: try stored.work.map { try StoredText.decode(JSONValue.self, from: $0.work) },
      timers: try stored.belongings?.timers?.map { try StoredText.decode(JSONValue.self, from: $0.timer) } ?? [])
    try migrate(&old, from: stored.version)
    guard old.routes.count == routes.count, old.work.count == stored.work.count,
      old.timers.count == stored.belongings?.timers?.count ?? 0
    else {
      throw RestoringError.wrongNumber(flow.name)
    }
    return RestoredCoordinator(
      input: old.input.object ?? [:], state: try old.state.decoded(as: State.self),
      routes: try old.routes.map { try $0.decoded(as: Route.self) }, work: try old.work.map { try $0.decoded(as: Work.self) },
      timers: try old.timers.map { try $0.decoded(as: Timer.self) })
  }
}

/// Why a stored tree cannot be restored.
public enum RestoringError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no longer a flow of that name.
  case unknownFlow(String)
  /// A newer version of the flow stored the coordinator.
  case newerVersion(String, stored: Int, known: Int)
  /// An older version of the flow stored the coordinator, and the flow does not define a migration.
  case noMigration(String, stored: Int, known: Int)
  /// The migration added or removed routes, work or timers.
  case wrongNumber(String)
  /// A stored value cannot be decoded, the flow no longer accepts its input, or its screens cannot be computed.
  case unreadable(CoordinatorPath, String)
  /// The root coordinator, a parent, or the coordinator of a screen is missing.
  case incomplete(CoordinatorPath)

  /// A message for people.
  public var description: String {
    switch self {
    case .unknownFlow(let flow): "the flow \(flow) no longer exists"
    case .newerVersion(let flow, let stored, let known):
      "it was stored by version \(stored) of the flow \(flow), but this daemon has version \(known)"
    case .noMigration(let flow, let stored, let known):
      "it was stored by version \(stored) of the flow \(flow), and version \(known) has no migration from that version"
    case .wrongNumber(let flow): "the migration of the flow \(flow) added or removed routes, work or timers"
    case .unreadable(let path, let reason): "the stored state of \(path) cannot be read: \(reason)"
    case .incomplete(let path): "the stored state is incomplete: \(path) is missing"
    }
  }
}
