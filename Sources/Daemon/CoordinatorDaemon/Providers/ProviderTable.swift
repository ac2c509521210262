import DBus

/// Which connection serves which flow. A value that decides, and knows neither the bus nor the trees.
struct ProviderTable: Sendable {
  private var registrations: [String: FlowRegistration] = [:]
  private var owners: [String: String] = [:]

  /// What changed in the list of flows.
  struct Change: Sendable, Hashable {
    var added: [String] = []
    var removed: [String] = []
    /// Flows that stay, and may be described anew.
    var kept: [String] = []
  }

  /// The registrations, by the names that people know.
  var all: [FlowRegistration] { registrations.values.sorted { $0.title < $1.title } }

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
      if owners[name] == nil { change.added.append(name) } else { change.kept.append(name) }
      owners[name] = registration.owner
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

  private func flows(of owner: String) -> [String] {
    (registrations[owner]?.flows.map(\.description.name) ?? []).filter { owners[$0] == owner }.sorted()
  }
}
