import DBus

/// Which connection serves which flow. A value that decides, and knows neither the bus nor the trees.
struct ProviderTable: Sendable {
  private var registrations: [String: FlowRegistration] = [:]
  private var owners: [String: String] = [:]
  /// The connections that have left last, by the flows that they served.
  private var departed: [String: Departure] = [:]
  /// Since when connections have not answered, of those that have not answered last.
  private var silent: [String: ContinuousClock.Instant] = [:]
  /// When the table was made: flows of stored trees may never have been served since.
  private let begun = ContinuousClock.now

  private struct Departure: Sendable {
    let time: ContinuousClock.Instant
    let isNamed: Bool
  }

  /// After which time the coordinators of a flow that nothing serves may be cancelled without asking.
  static var absence: Duration { .seconds(20) }

  /// How long a question waits for a name that has just lost its owner.
  static var patience: Duration { .seconds(5) }

  /// What changed in the list of flows.
  struct Change: Sendable, Hashable {
    var added: [String] = []
    var removed: [String] = []
  }

  /// The registrations, by the names that people know.
  var all: [FlowRegistration] { registrations.values.sorted { $0.title < $1.title } }

  /// Returns what a connection serves; nil if nothing.
  func registration(of owner: String) -> FlowRegistration? { registrations[owner] }

  /// Returns who serves a flow, and its description; nil if nobody does.
  func provider(of flow: String) -> (FlowRegistration, RegisteredFlow)? {
    guard let registration = owners[flow].flatMap({ registrations[$0] }),
      let flow = registration.flows.first(where: { $0.description.name == flow })
    else { return nil }
    return (registration, flow)
  }

  /// Returns the flows among these that another connection serves, with its name.
  func taken(_ flows: [RegisteredFlow], from owner: String) -> [String: String] {
    var taken: [String: String] = [:]
    for flow in flows {
      if let other = owners[flow.description.name], other != owner { taken[flow.description.name] = registrations[other]?.title }
    }
    return taken
  }

  /// Replaces what a connection serves.
  mutating func register(_ registration: FlowRegistration) -> Change {
    let names = registration.flows.map(\.description.name)
    var change = Change(removed: flows(of: registration.owner).filter { !names.contains($0) })
    for name in names {
      if owners[name] == nil { change.added.append(name) }
      owners[name] = registration.owner
      departed[name] = nil
    }
    for name in change.removed { owners[name] = nil }
    registrations[registration.owner] = names.isEmpty ? nil : registration
    return change
  }

  /// Removes flows of a connection.
  ///
  /// - Parameters:
  ///   - names: the flows; nil for all.
  ///   - owner: the connection's unique name.
  /// - Returns: what changed.
  mutating func unregister(_ names: [String]?, of owner: String) -> Change {
    guard let registration = registrations[owner] else { return Change() }
    let removed = names.map(Set.init) ?? Set(flows(of: owner))
    let left = registration.flows.filter { !removed.contains($0.description.name) }
    return register(FlowRegistration(owner: owner, name: registration.name, path: registration.path, flows: left))
  }

  /// Removes the flows of a connection that has left the bus.
  ///
  /// - Parameters:
  ///   - owner: the connection's unique name.
  ///   - now: the time.
  /// - Returns: what changed.
  mutating func hasLeft(_ owner: String, at now: ContinuousClock.Instant) -> Change {
    let isNamed = registrations[owner]?.name.isEmpty == false
    let change = unregister(nil, of: owner)
    silent[owner] = nil
    departed = departed.filter { $0.value.time.duration(to: now) < Self.absence }
    for flow in change.removed { departed[flow] = Departure(time: now, isNamed: isNamed) }
    return change
  }

  /// Records whether a connection has answered a question.
  mutating func note(_ isAnswer: Bool, from owner: String, at now: ContinuousClock.Instant) {
    if isAnswer {
      silent[owner] = nil
    } else if silent[owner] == nil, registrations[owner] != nil {
      silent[owner] = now
    }
  }

  /// Returns whether nothing has served a flow for ``absence``, or who serves it has not answered for so long.
  func isAway(_ flow: String, at now: ContinuousClock.Instant) -> Bool {
    let since = owners[flow].map { silent[$0] } ?? departed[flow]?.time ?? begun
    return since.map { $0.duration(to: now) >= Self.absence } ?? false
  }

  /// Returns when a flow that nothing serves should be served again; nil if it is not expected to be.
  ///
  /// - Parameters:
  ///   - flow: the flow.
  ///   - dead: a connection that has left, although ``hasLeft(_:at:)`` has not been called.
  /// - Returns: the time until which it is worth waiting.
  func timeOfReturn(of flow: String, dead: String?) -> ContinuousClock.Instant? {
    if let departed = departed[flow] { return departed.isNamed ? departed.time + Self.patience : nil }
    guard let dead, let registration = provider(of: flow)?.0, registration.owner == dead else { return nil }
    // A connection without a name is never the same again, but its end has not been told yet.
    return registration.name.isEmpty ? nil : .now + Self.patience
  }

  private func flows(of owner: String) -> [String] {
    (registrations[owner]?.flows.map(\.description.name) ?? []).filter { owners[$0] == owner }.sorted()
  }
}
