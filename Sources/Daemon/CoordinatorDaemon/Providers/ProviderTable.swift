import DBus
import ProviderFiles

/// Records which program serves which flow, by files and by registrations. A value that makes decisions, without access to the
/// bus or the trees.
///
/// A file gives a flow to a bus name, whose owner serves it. A flow without a file is served by the first connection that
/// registers it.
struct ProviderTable: Sendable {
  /// The owner of a well-known name.
  enum Owner: Sendable, Hashable {
    /// The bus has not reported the owner, or the owner's user is being looked up.
    case unknown
    case nobody
    case connection(String)
    /// A connection that must not serve, for this reason.
    case refused(String)

    /// The unique name of the connection that serves; nil for none.
    var connection: String? { if case .connection(let name) = self { name } else { nil } }
  }

  /// A change of the list of flows.
  struct Change: Sendable {
    /// The flows that can now be started.
    var added: [String] = []
    /// The flows that are no longer served.
    var removed: [String] = []
    /// The flows with new descriptions, including those that were added.
    var described: [RegisteredFlow] = []
    /// The flows whose provider now runs, as a new program or in place of another.
    var appeared: Set<String> = []
    /// The flows that a different program now serves, whether or not it runs.
    var moved: [String] = []

    var isEmpty: Bool { added.isEmpty && removed.isEmpty && described.isEmpty && appeared.isEmpty && moved.isEmpty }

    /// The flows whose entries in lists have changed.
    var listed: Set<String> { Set(removed + moved + described.map(\.description.name)) }
  }

  private(set) var files = ProviderFiles.none
  private(set) var served: [String: ProvidedFlow] = [:]
  /// The registrations by well-known name, or by unique name for a connection without one.
  private var registrations: [String: FlowRegistration] = [:]
  /// The key of the registration that contains a flow, regardless of files.
  private var holders: [String: String] = [:]
  private var owners: [String: Owner] = [:]
  private var troubles: [String: String] = [:]
  private var starts = ProviderStarts()
  /// Tracks providers that are away, and providers that do not answer.
  var absences = ProviderAbsences()

  /// The registrations, sorted by the names that users see.
  var all: [FlowRegistration] { registrations.values.sorted { $0.title < $1.title } }

  /// The well-known names whose owners must be known.
  var names: Set<String> { files.busNames.union(registrations.keys.filter { $0.utf8.first != UInt8(ascii: ":") }) }

  /// Returns the program that serves a flow; nil if there is none.
  func provider(of flow: String) -> ProvidedFlow? { served[flow] }

  /// Returns the owner of a well-known name.
  func owner(of name: String) -> Owner { owners[name] ?? .unknown }

  /// Returns the time until which a flow that is not served is expected to be served again; nil if it is not expected to be.
  ///
  /// - Parameters:
  ///   - flow: the flow.
  ///   - dead: a connection that has left, although the bus has not reported it yet.
  /// - Returns: the time until which to wait.
  func timeOfReturn(of flow: String, dead: String?) -> ContinuousClock.Instant? {
    if let dead, let served = served[flow], served.owner == dead {
      // A connection without a name never returns as the same provider.
      return served.name.isEmpty ? nil : .now + ProviderAbsences.patience
    }
    return absences.timeOfReturn(of: flow)
  }

  /// Returns whether a flow has not been served for some time. A provider that the bus can start is not away, unless the start
  /// fails.
  func isAway(_ flow: String, at now: ContinuousClock.Instant) -> Bool {
    let served = served[flow]
    if let served, served.owner == nil, troubles[served.name] == nil { return false }
    return absences.isAway(flow, served?.owner == nil ? nil : served, at: now)
  }

  /// Returns whether a program has registered flows under a well-known name.
  func hasRegistration(under name: String) -> Bool { registrations[name] != nil }

  /// Returns whether a connection serves flows, or owns a name that files give flows to.
  func isProvider(_ connection: String) -> Bool {
    registrations.values.contains { $0.owner == connection } || owners.values.contains(.connection(connection))
  }

  /// Whether flows without a file are served, which exist only while the daemon runs.
  var hasUnfiled: Bool { served.values.contains { $0.file == nil } }

  /// Returns the problem of a provider; nil if there is none.
  func trouble(of name: String) -> String? {
    if case .refused(let reason) = owner(of: name) { return reason }
    return troubles[name]
  }

  /// Returns whether a flow may start another as its child: a flow of the same program, or one that its file allows.
  func mayStart(_ child: String, asChildOf flow: String, isSystem: Bool) -> Bool {
    guard let served = served[flow] else { return !isSystem }
    if let own = self.served[child], own.name == served.name, own.name.isEmpty == false || own.owner == served.owner {
      return true
    }
    guard let children = served.file?.children else { return !isSystem }
    return children.contains(child)
  }

  // MARK: Files

  /// Replaces the contents of the files.
  mutating func set(_ files: ProviderFiles) -> Change {
    change { table in
      table.files = files
      table.forgetNames()
    }
  }

  // MARK: Names

  /// Records the owner of a well-known name.
  mutating func setOwner(of name: String, _ owner: Owner) -> Change {
    guard names.contains(name) else { return Change() }
    return change { table in
      table.owners[name] = owner
      if owner.connection != nil { (table.troubles[name], table.starts[name]) = (nil, nil) }
      // Registrations under a name are served while the name has an owner who may serve, even if the owner changes.
      switch owner {
      case .nobody, .refused: table.forget(name)
      case .unknown, .connection: break
      }
      if case .connection(let connection) = owner { table.registrations[name]?.owner = connection }
    }
  }

  /// Returns whether a provider may be started now. False for a provider that failed too often in the last minute.
  mutating func mayStart(_ name: String, at now: ContinuousClock.Instant) -> Bool {
    starts[name, default: ProviderStarts.Failures()].allowsAnother(at: now)
  }

  /// Records that a provider could not be started.
  mutating func startFailed(_ name: String, _ reason: String, at now: ContinuousClock.Instant) {
    troubles[name] = reason
    starts[name, default: ProviderStarts.Failures()].note(now)
  }

  // MARK: Registrations

  /// Returns the well-known names whose owners decide whether a connection may register flows.
  func names(concerning registration: FlowRegistration) -> Set<String> {
    let filed = registration.flows.compactMap { files.entries[$0.description.name]?.file.busName }
    return Set(filed + (registration.name.isEmpty ? [] : [registration.name]))
  }

  /// Returns why a connection may not register flows at all; nil if it may.
  ///
  /// - Parameters:
  ///   - registration: the flows to register.
  ///   - asked: the owners of the names in question, as the bus reported them on request.
  ///   - isSystem: whether this is the system bus, on which any user could claim to be the flow that asks for the
  ///     administrator's password.
  /// - Returns: the reason.
  func refusal(of registration: FlowRegistration, owners asked: [String: Owner], isSystem: Bool) -> String? {
    let name = registration.name
    if isSystem {
      let isFiled =
        name.isEmpty
        ? registration.flows.allSatisfy { files.entries[$0.description.name] != nil } : files.file(of: name) != nil
      guard isFiled else { return "on the system bus, only a program whose name is in a provider file may serve flows" }
    }
    guard !name.isEmpty else { return nil }
    let owner = names.contains(name) ? owner(of: name) : asked[name] ?? .nobody
    if case .refused(let reason) = owner { return reason }
    return owner.connection == registration.owner ? nil : "the caller does not own the name \(name)"
  }

  /// Returns the flows among these that the connection must not register, each with the name that serves it.
  ///
  /// - Parameter registration: the flows; its name, if it has one, is owned by its connection.
  /// - Returns: the flows that files give to other bus names, and those that other connections registered first.
  func taken(from registration: FlowRegistration) -> [String: String] {
    var taken: [String: String] = [:]
    for flow in registration.flows.map(\.description.name) {
      if let entry = files.entries[flow] {
        let isOwner = registration.name == entry.file.busName || owner(of: entry.file.busName).connection == registration.owner
        if !isOwner { taken[flow] = entry.file.busName }
      } else if let holder = holders[flow], holder != registration.key, let other = registrations[holder],
        other.owner != registration.owner
      {
        taken[flow] = other.title
      }
    }
    return taken
  }

  /// Returns why a connection may not register all its flows; nil if it may.
  ///
  /// - Parameters:
  ///   - flows: the number of flows to serve, in place of those that it serves now.
  ///   - size: the size of their descriptions, in bytes.
  ///   - owner: the connection's unique name.
  ///   - name: the well-known name under which it serves; "" for none.
  ///   - limits: the daemon's limits.
  /// - Returns: the reason.
  func excess(
    _ flows: Int, size: Int, by owner: String, as name: String, limits: DaemonLimits
  ) -> String? {
    guard flows <= Self.maxFlowsOfOne else { return "a provider must not serve more than \(Self.maxFlowsOfOne) flows" }
    guard size <= Self.maxSizeOfOne else {
      return "the flows of a provider must not take up more than \(Self.maxSizeOfOne) bytes: shorten titles, summaries or schemas"
    }
    // A connection may always register fewer flows than before.
    let own = registrations.values.filter { $0.owner == owner || (!name.isEmpty && $0.name == name) }
    let (ownFlows, ownSize) = (own.reduce(0) { $0 + $1.flows.count }, own.reduce(0) { $0 + $1.size })
    let all = registrations.values.reduce((flows: 0, size: 0)) { ($0.flows + $1.flows.count, $0.size + $1.size) }
    guard flows <= ownFlows || all.flows - ownFlows + flows <= Int(limits.maxRegisteredFlows) else {
      return "all providers together must not serve more than \(limits.maxRegisteredFlows) flows"
    }
    guard size <= ownSize || all.size - ownSize + size <= Int(limits.maxRegisteredBytes) else {
      return "the flows of all providers together must not take up more than \(limits.maxRegisteredBytes) bytes"
    }
    return nil
  }

  /// The maximum number of flows of one provider.
  private static let maxFlowsOfOne = 1000
  /// The maximum size of their descriptions, in bytes.
  private static let maxSizeOfOne = 4 << 20

  /// Replaces the flows that a bus name, or a connection without one, serves.
  mutating func register(_ registration: FlowRegistration) -> Change {
    change { table in
      let key = registration.key
      // A connection has one list of flows, under any name.
      for other in table.registrations.values where other.owner == registration.owner && other.key != key {
        table.forget(other.key)
      }
      table.forget(key)
      guard !registration.flows.isEmpty else { return }
      table.registrations[key] = registration
      for flow in registration.flows where table.holders[flow.description.name] == nil {
        table.holders[flow.description.name] = key
      }
      if !registration.name.isEmpty { table.owners[registration.name] = .connection(registration.owner) }
    }
  }

  /// Removes flows of a connection.
  ///
  /// - Parameters:
  ///   - names: the flows; nil for all.
  ///   - owner: the connection's unique name.
  /// - Returns: what changed.
  mutating func unregister(_ names: [String]?, of owner: String) -> Change {
    guard var registration = registrations.values.first(where: { $0.owner == owner }) else { return Change() }
    let removed = names.map(Set.init)
    registration.flows = registration.flows.filter { flow in removed.map { !$0.contains(flow.description.name) } ?? false }
    return register(registration)
  }

  private mutating func forget(_ key: String) {
    registrations[key] = nil
    let others = all
    for flow in holders.filter({ $0.value == key }).keys {
      // A flow that a file gives to one provider can also be registered by another.
      holders[flow] = others.first { $0[flow] != nil }?.key
    }
    forgetNames()
  }

  private mutating func forgetNames() {
    let names = names
    owners = owners.filter { names.contains($0.key) }
    troubles = troubles.filter { names.contains($0.key) }
    starts.keepOnly(names)
  }

  // MARK: Deciding

  private mutating func change(_ body: (inout ProviderTable) -> Void) -> Change {
    let before = served
    body(&self)
    served = resolved()
    var change = Change()
    for (name, now) in served.sorted(by: { $0.key < $1.key }) {
      let old = before[name]
      if old == nil { change.added.append(name) }
      if old?.flow.isSame(as: now.flow) != true { change.described.append(now.flow) }
      if now.owner != nil, old?.isServed(as: now) != true { change.appeared.insert(name) }
      if let old, old.key != now.key { change.moved.append(name) }
    }
    for (name, old) in before where old.owner != nil && served[name]?.owner == nil { absences.left(name, old, at: .now) }
    for name in change.appeared { absences.returned(name) }
    change.removed = before.keys.filter { served[$0] == nil }.sorted()
    return change
  }

  private func resolved() -> [String: ProvidedFlow] {
    var served: [String: ProvidedFlow] = [:]
    for (flow, entry) in files.entries {
      let name = entry.file.busName
      let owner = owner(of: name).connection
      if let owner, let (registration, registered) = registered(flow, by: owner) {
        served[flow] = ProvidedFlow(
          flow: registered, name: name, owner: owner, path: registration.path, file: entry.file, registration: registration)
      } else {
        served[flow] = ProvidedFlow(flow: entry.flow, name: name, owner: owner, path: entry.file.objectPath, file: entry.file)
      }
    }
    for (flow, holder) in holders where served[flow] == nil {
      guard let registration = registrations[holder], let registered = registration[flow] else { continue }
      served[flow] = ProvidedFlow(
        flow: registered, name: registration.name, owner: registration.owner, path: registration.path,
        file: files.file(of: registration.name), registration: registration)
    }
    return served
  }

  private func registered(_ flow: String, by owner: String) -> (FlowRegistration, RegisteredFlow)? {
    for registration in registrations.values where registration.owner == owner {
      if let registered = registration[flow] { return (registration, registered) }
    }
    return nil
  }
}
