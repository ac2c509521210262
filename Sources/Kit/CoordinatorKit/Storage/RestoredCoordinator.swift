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
