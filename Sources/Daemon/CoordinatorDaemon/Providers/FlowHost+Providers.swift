import CoordinatorBus
import CoordinatorKit
import DBus
import ProviderFiles

/// Lets other processes serve flows.
extension FlowHost {
  /// Handles `RegisterFlows`: the caller serves flows, in place of those that it served before.
  func registerFlows(_ call: IncomingCall) {
    do throws(DBusError) {
      let registration = try registration(call)
      if let builtIn = registration.flows.first(where: { catalogue.isBuiltIn($0.description.name) }) {
        throw ContractError.flowTaken(
          message: "the flow '\(builtIn.description.name)' is built into the daemon",
          owners: [builtIn.description.name: Contract.busName]
        ).dbusError
      }
      let names = provider.withTable { $0.names(concerning: registration) }
      guard !names.isEmpty else { return accept(registration, call, owners: [:]) }
      Task {
        var owners: [String: ProviderTable.Owner] = [:]
        for name in names { owners[name] = await self.provider.owner(of: name) }
        self.accept(registration, call, owners: owners)
      }
    } catch {
      call.fail(error)
    }
  }

  private func accept(_ registration: FlowRegistration, _ call: IncomingCall, owners: [String: ProviderTable.Owner]) {
    do throws(DBusError) {
      // What the bus has told meanwhile is newer.
      for (name, owner) in owners where provider.withTable({ $0.owner(of: name) }) == .unknown {
        tell(provider.withTable { $0.setOwner(of: name, owner) })
      }
      let isSystem = configuration.bus == .system
      if let reason = provider.withTable({ $0.refusal(of: registration, owners: owners, isSystem: isSystem) }) {
        throw .accessDenied(reason)
      }
      try checkSize(registration.flows.count, registration.size, by: registration.owner, as: registration.name)
      let taken = provider.withTable { $0.taken(from: registration) }
      guard taken.isEmpty else {
        let flows = taken.keys.sorted().joined(separator: ", ")
        throw ContractError.flowTaken(message: "another program serves these flows: \(flows)", owners: taken).dbusError
      }
      let change = provider.withTable { $0.register(registration) }
      track(call.sender)
      tell(change)
      reportDifferences(registration)
      let flows = registration.flows.map(\.description.name)
      call.reply([.uint32(UInt32(clamping: liveCount(of: flows)))])
      retryHolds(of: Set(flows))
    } catch {
      call.fail(error)
    }
  }

  /// Handles `UnregisterFlows`: the caller no longer serves some flows, or any.
  func unregisterFlows(_ call: IncomingCall) {
    let names = call.arguments.first?.elements?.compactMap(\.string) ?? []
    tell(provider.withTable { $0.unregister(names.isEmpty ? nil : names, of: call.sender) })
    call.reply()
    untrackIfIdle(call.sender)
  }

  /// Handles `ListProviders`.
  func listProviders(_ call: IncomingCall) {
    Task {
      let hasFiles = !self.provider.withTable { $0.files }.files.isEmpty
      var list = ProviderList(
        self.provider.withTable { $0 }, activatable: hasFiles ? await self.provider.activatableNames() : [])
      for root in self.roots.live.values { list.count(root.state.coordinators.values) }
      call.reply([.vardicts(list.entries(builtIn: self.catalogue.builtInNames))])
    }
  }

  /// Returns whether a connection serves flows, or performs work of flows that it has served.
  func isProvider(_ sender: String) -> Bool {
    provider.withTable { $0.isProvider(sender) } || provider.work.count(of: sender) > 0
  }

  /// Removes the flows of a connection that has left the bus. Their coordinators remain.
  func providerHasLeft(_ sender: String) {
    tell(provider.withTable { $0.unregister(nil, of: sender) })
    provider.work.hasLeft(sender)
  }

  // MARK: Parts

  private func registration(_ call: IncomingCall) throws(DBusError) -> FlowRegistration {
    guard call.arguments.count == 3, let path = call.arguments[0].objectPath, let flows = call.arguments[1].elements else {
      throw .invalidArgs("RegisterFlows needs a path, flows and options")
    }
    var options = try NamedArguments(call.arguments[2], of: "the options of RegisterFlows")
    let name = try options.string("name") ?? ""
    let concurrency = Int(clamping: try options.unsigned("concurrency") ?? UInt64(FlowRegistration.maxConcurrency))
    let digest = try options.string("digest") ?? ""
    // Older libraries send it, and it means nothing here: who owns a name is between them and the bus.
    _ = try options.boolean("replace")
    try options.finish()
    // Before anything is made of them.
    try checkSize(flows.count, flows.reduce(0) { $0 + $1.wireSize }, by: call.sender, as: name)
    var registered: [RegisteredFlow] = []
    for flow in flows { registered.append(try RegisteredFlow(flow)) }
    try checkSize(flows.count, registered.reduce(0) { $0 + $1.size }, by: call.sender, as: name)
    let names = registered.map(\.description.name)
    guard Set(names).count == names.count else { throw .invalidArgs("a flow is registered twice") }
    return FlowRegistration(
      owner: call.sender, name: name, path: path, concurrency: min(max(concurrency, 1), FlowRegistration.maxConcurrency),
      flows: registered, digest: digest)
  }

  private func checkSize(_ flows: Int, _ size: Int, by owner: String, as name: String) throws(DBusError) {
    let limits = configuration.limits
    if let reason = provider.withTable({ $0.excess(flows, size: size, by: owner, as: name, limits: limits) }) {
      throw .limitsExceeded(reason)
    }
  }

  /// Logs flows whose input is not what their file says: callers may have built theirs by the file.
  private func reportDifferences(_ registration: FlowRegistration) {
    let entries = provider.withTable { $0.files.entries }
    for flow in registration.flows {
      guard let entry = entries[flow.description.name],
        entry.flow.description.input.schema != flow.description.input.schema
      else { continue }
      logger.warning(
        "a provider has registered a flow with another input than its file says",
        metadata: ["flow": "\(flow.description.name)", "file": "\(entry.file.path)"])
    }
  }

  /// Applies what has changed in the list of flows, and announces it.
  func tell(_ change: ProviderTable.Change) {
    guard !change.isEmpty else { return }
    watchProviderNames()
    for flow in change.described {
      providedFlows.add(flow.description, schemas: flow.schemas, wantsLooking: flow.wantsLooking)
    }
    let used = change.removed.isEmpty ? [] : Set(roots.live.values.lazy.flatMap { $0.state.coordinators.values.map(\.flow) })
    for name in change.removed { providedFlows.remove(name, isUsed: used.contains(name)) }
    list(change.listed)
    provider.arrivals.arrived(change.appeared.sorted())
    activityHasChanged()
    if !change.appeared.isEmpty { retryHolds(of: change.appeared) }
    guard !change.added.isEmpty || !change.removed.isEmpty else { return }
    bus.send(
      .signal(
        Contract.rootPath, interface: Contract.managerInterface, member: "FlowsChanged",
        [.strings(change.added.sorted()), .strings(change.removed.sorted())]))
  }

  private func liveCount(of flows: [String]) -> Int {
    let flows = Set(flows)
    return roots.live.values.reduce(0) { $0 + $1.state.coordinators.values.count { flows.contains($0.flow) } }
  }

  /// Tries again what coordinators wait for whose flows are served again.
  private func retryHolds(of flows: Set<String>) {
    for root in roots.liveInOrder where !root.holds.isEmpty {
      // A coordinator of another flow may be held because its parent could not be asked.
      if root.state.coordinators.values.contains(where: { flows.contains($0.flow) }) { root.tree.retryServed() }
    }
  }
}
