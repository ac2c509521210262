import Forms
import Platform

/// A stored coordinator, decoded by its flow.
struct RestoredCoordinator: Sendable {
  var input: [String: JSONValue]
  var state: any FlowState
  /// The routes of its screens, bottom first.
  var routes: [any RouteValue]
  /// The work, with the stored number of elements.
  var work: [any Codable & Sendable]
  /// The timers, with the stored number of elements.
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

  /// A message for users.
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

/// The values that an older version of a flow stored for one coordinator, for ``Coordinator/migrate(_:from:)`` to convert. The
/// values are JSON, because the types that they were encoded from no longer exist.
///
/// ```swift
/// static func migrate(_ stored: inout StoredFlow, from version: Int) {
///   stored.state = ["network": stored.state["ssid"] ?? ""]
/// }
/// ```
public struct StoredFlow: Sendable, Hashable {
  /// The input that the coordinator was started with.
  public var input: JSONValue
  /// The state of the coordinator.
  public var state: JSONValue
  /// The routes of its screens, bottom first. Elements may be changed, but not added or removed.
  public var routes: [JSONValue]
  /// The work that was running, in the order in which it was started. Elements may be changed, but not added or
  /// removed.
  public var work: [JSONValue]
  /// The timers, in the order in which they were started. Elements may be changed, but not added or removed.
  public var timers: [JSONValue] = []
}

/// A cache of values decoded from a store, by their encoded form. Thousands of trees share a few routes, and decoding
/// takes most of the time of restoring a tree.
///
/// The cache is small, and is emptied completely when it is full.
final class DecodedTexts<Value: Decodable & Sendable>: Sendable {
  private static var capacity: Int { 64 }
  private static var longest: Int { 256 }

  private let values = Lock<[String: Value]>([:])

  /// Returns the decoded value of a string.
  ///
  /// - Throws: `DecodingError` if the string cannot be decoded.
  func value(of text: String) throws -> Value {
    if let known = values.withLock({ $0[text] }) { return known }
    let value = try StoredText.decode(Value.self, from: text)
    guard text.utf8.count <= Self.longest else { return value }
    values.withLock { values in
      if values.count >= Self.capacity { values = [:] }
      values[text] = value
    }
    return value
  }
}

/// Encodes the values of a flow as strings, and decodes them: JSON with sorted keys.
package enum StoredText {
  /// Returns the encoded form of a value.
  ///
  /// - Throws: `EncodingError` if the value cannot be represented in JSON.
  package static func encode(_ value: some Encodable) throws -> String {
    try JSONText.encode(value)
  }

  /// Returns the value that a string encodes.
  ///
  /// - Throws: `DecodingError` if the string does not encode a value of that type.
  package static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
    try JSONText.decode(type, from: text.utf8)
  }
}

extension FlowTree {
  /// Restores a tree from a store, with the same ids, paths, screens and revision (rule 10).
  ///
  /// Nothing is published, and no work runs before ``resume()``.
  ///
  /// - Parameters:
  ///   - stored: the stored tree.
  ///   - environment: the environment of the restored tree.
  /// - Returns: the tree and its state.
  /// - Throws: ``RestoringError``, in which case the tree must be held. The stored data remains unchanged.
  public static func restore(
    _ stored: StoredTree, environment: Environment
  ) async throws(RestoringError) -> (tree: FlowTree, state: TreeState) {
    do {
      var state = try TreeState(restoring: stored, in: environment.catalogue, since: environment.startOfMachine)
      try await state.computeScreens(environment)
      return (FlowTree(continuing: state, environment: environment), state)
    } catch let error as RestoringError {
      throw error
    } catch {
      throw .unreadable(stored.root, String(describing: type(of: error)))
    }
  }

  /// Restarts the work that was running, and reports work that cannot be performed again because its secrets are gone.
  public func resume() {
    for record in state.coordinatorsAsStarted where !record.belongings.lostSecrets.isEmpty {
      post(Posted(.lostSecrets(record.path)))
    }
    for record in state.coordinatorsAsStarted {
      for _ in record.belongings.childEnds { post(Posted(.childEnd(record.path))) }
    }
    let next = state.nextTimers
    if next != NextTimers() { environment.whenTimersChange(root, next) }
    for record in state.coordinatorsAsStarted where !record.work.isEmpty {
      // The input was decoded when the tree was restored, so decoding succeeds.
      let coordinator = try? environment.catalogue[record.flow]?.makeCoordinator(input: record.input)
      running[record.path] = running[record.path] ?? coordinator
      running[record.path]?.isRestored(as: record)
      for work in record.work.sorted(by: { $0.id.number < $1.id.number }) where work.id.number <= lastStoredWork {
        if work.result != nil {
          post(Posted(.work(record.path, work.id)))
        } else if work.tookSecrets {
          post(Posted(.interruption(record.path, work.id)))
        } else {
          begin([WorkOrder(coordinator: record.path, record: work, secrets: [:], isRepeated: true)])
        }
      }
    }
  }
}

extension TreeState {
  /// Whether work was running, timers must fire, or coordinators must be notified of lost secrets.
  public var hasToResume: Bool {
    coordinators.values.contains {
      !$0.work.isEmpty || !$0.belongings.timers.isEmpty || !$0.belongings.lostSecrets.isEmpty
        || !$0.belongings.childEnds.isEmpty
    }
  }

  /// The coordinators in the order in which they were started. Parents precede their children, and children their
  /// younger siblings, even if they were started in one transition, or if the clock was set back in between.
  var coordinatorsAsStarted: [CoordinatorRecord] {
    var times: [CoordinatorPath: UInt64] = [:]
    let inOrder = coordinatorsInOrder
    for record in inOrder {
      let time = max(record.startedAt, times[record.path] ?? 0)
      times[record.path] = time
      var latest = time
      for child in record.children {
        latest = max(latest, coordinators[child]?.startedAt ?? 0)
        times[child] = latest
      }
    }
    // The sort is stable.
    return inOrder.sorted { times[$0.path] ?? 0 < times[$1.path] ?? 0 }
  }

  /// Computes all screens from the states of their coordinators. The actors are released afterwards, and created again when
  /// they are needed, because most trees wait for a long time.
  fileprivate mutating func computeScreens(_ environment: FlowTree.Environment) async throws {
    var transition = Transition(from: self, catalogue: environment.catalogue, limits: environment.limits, at: environment.moment)
    // In the order in which they were started, because an author's initializer may have side effects.
    let records = coordinatorsAsStarted
    for record in records where window.hasScreens(of: record.path) {
      try await transition.computeScreens(of: record.path, flow: record.flow, input: record.input, environment)
    }
    // The answers that these screens show of others are known only now.
    for record in records where transition.reviewers.contains(record.path) {
      try await transition.computeScreens(of: record.path, flow: record.flow, input: record.input, environment)
    }
    self = transition.after
  }
}

extension Transition {
  fileprivate mutating func computeScreens(
    of path: CoordinatorPath, flow: String, input: [String: JSONValue], _ environment: FlowTree.Environment
  ) async throws {
    guard let definition = environment.catalogue[flow] else { throw RestoringError.unknownFlow(flow) }
    switch try await definition.makeCoordinator(input: input).handle(.restored, of: path, in: self) {
    case .success(let result): self = result
    case .failure(let error): throw RestoringError.unreadable(path, "its screens cannot be computed: \(type(of: error))")
    }
  }
}
