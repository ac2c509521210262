/// What a store has kept of one coordinator, decoded by its flow.
struct RestoredCoordinator: Sendable {
  var input: [String: JSONValue]
  var state: any FlowState
  /// By screen, bottom first.
  var routes: [any RouteValue]
  /// As long as what was stored.
  var work: [any Codable & Sendable]
}

extension Coordinator {
  /// Decodes what was stored of a coordinator of this flow, or of an older version of it; `known` are routes that were decoded before.
  static func restore(
    _ stored: StoredCoordinator, routes: [String], known: DecodedTexts<Route>
  ) throws -> RestoredCoordinator {
    guard stored.version != flow.version else {
      return RestoredCoordinator(
        // Most flows take none.
        input: stored.input == "{}" ? [:] : try StoredText.decode([String: JSONValue].self, from: stored.input),
        state: try StoredText.decode(State.self, from: stored.state),
        routes: try routes.map { try known.value(of: $0) },
        work: try stored.work.map { try StoredText.decode(Work.self, from: $0.work) })
    }
    guard stored.version < flow.version else {
      throw RestoringError.newerVersion(flow.name, stored: stored.version, known: flow.version)
    }
    var old = StoredFlow(
      input: try StoredText.decode(JSONValue.self, from: stored.input),
      state: try StoredText.decode(JSONValue.self, from: stored.state),
      routes: try routes.map { try StoredText.decode(JSONValue.self, from: $0) },
      work: try stored.work.map { try StoredText.decode(JSONValue.self, from: $0.work) })
    try migrate(&old, from: stored.version)
    guard old.routes.count == routes.count, old.work.count == stored.work.count else {
      throw RestoringError.wrongNumber(flow.name)
    }
    return RestoredCoordinator(
      input: old.input.object ?? [:], state: try old.state.decoded(as: State.self),
      routes: try old.routes.map { try $0.decoded(as: Route.self) }, work: try old.work.map { try $0.decoded(as: Work.self) })
  }
}

/// Why a stored tree cannot be taken up again.
public enum RestoringError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no flow of that name any more.
  case unknownFlow(String)
  /// A newer version of the flow has stored it.
  case newerVersion(String, stored: Int, known: Int)
  /// An older version has stored it, and the flow does not say how to migrate that.
  case noMigration(String, stored: Int, known: Int)
  /// The migration added or took away routes or work.
  case wrongNumber(String)
  /// The stored text does not decode, or the flow does not accept its input any more.
  case unreadable(CoordinatorPath, String)
  /// The root coordinator, a parent, or the coordinator of a screen is missing.
  case incomplete(CoordinatorPath)

  /// For people.
  public var description: String {
    switch self {
    case .unknownFlow(let flow): "there is no flow \(flow) any more"
    case .newerVersion(let flow, let stored, let known):
      "version \(stored) of the flow \(flow) has stored it, and this daemon has version \(known)"
    case .noMigration(let flow, let stored, let known):
      "version \(stored) of the flow \(flow) has stored it, and version \(known) does not say how to migrate that"
    case .wrongNumber(let flow): "the migration of the flow \(flow) added or took away routes or work"
    case .unreadable(let path, let reason): "what was stored of \(path) cannot be read: \(reason)"
    case .incomplete(let path): "what was stored is not complete: \(path) is missing"
    }
  }
}
