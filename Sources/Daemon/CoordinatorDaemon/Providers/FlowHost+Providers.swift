import CoordinatorBus
import CoordinatorKit
import DBus

/// Lets other processes serve flows.
extension FlowHost {
  /// Handles `RegisterFlows`: the caller serves flows, in place of those that it served before.
  func registerFlows(_ call: IncomingCall) {
    do throws(DBusError) {
      // There, anybody could claim to be the flow that asks for the administrator's password.
      guard configuration.bus != .system else { throw .accessDenied("flows cannot be registered on the system bus") }
      let registration = try registration(call)
      if let builtIn = registration.flows.first(where: { catalogue.isBuiltIn($0.description.name) }) {
        throw ContractError.flowTaken(
          message: "the flow '\(builtIn.description.name)' is built into the daemon",
          owners: [builtIn.description.name: Contract.busName]
        ).dbusError
      }
      guard !registration.name.isEmpty else { return accept(registration, call) }
      let request = MethodCall(
        destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
        member: "GetNameOwner", arguments: [.string(registration.name)])
      Task {
        let owner = try? await self.connection.call(request).first?.string
        guard owner == call.sender else {
          return call.fail(.accessDenied("the caller does not own the name \(registration.name)"))
        }
        self.accept(registration, call)
      }
    } catch {
      call.fail(error)
    }
  }

  private func accept(_ registration: FlowRegistration, _ call: IncomingCall) {
    do throws(DBusError) {
      let taken = provider.withTable { $0.taken(registration.flows, from: registration.owner) }
      guard taken.isEmpty else {
        let flows = taken.keys.sorted().joined(separator: ", ")
        throw ContractError.flowTaken(message: "another connection serves these flows: \(flows)", owners: taken).dbusError
      }
      let change = provider.withTable { $0.register(registration) }
      for flow in registration.flows { providedFlows.add(flow.description, schemas: flow.schemas) }
      track(call.sender)
      tell(change)
      call.reply([.uint32(UInt32(clamping: liveCount(of: registration.flows.map(\.description.name))))])
      retryHolds(of: Set(registration.flows.map(\.description.name)))
      provider.arrivals.arrived(registration.flows.map(\.description.name))
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
    call.reply([
      .vardicts(
        provider.withTable(\.all).map { registration in
          let flows = registration.flows.map(\.description.name).sorted()
          return [
            "name": .string(registration.title), "origin": .string("registered"), "path": .objectPath(registration.path),
            "flows": .strings(flows), "state": .string("running"), "live": .uint32(UInt32(clamping: liveCount(of: flows))),
            "held": .uint32(UInt32(clamping: heldCount(of: Set(flows)))),
          ]
        })
    ])
  }

  /// Returns whether a connection serves flows, or performs work of flows that it has served.
  func isProvider(_ sender: String) -> Bool {
    provider.withTable { $0.all.contains { $0.owner == sender } } || provider.work.count(of: sender) > 0
  }

  /// Removes the flows of a connection that has left the bus. Their coordinators remain.
  func providerHasLeft(_ sender: String) {
    let change = provider.withTable { $0.hasLeft(sender, at: .now) }
    if change != ProviderTable.Change() { tell(change) }
    provider.work.hasLeft(sender)
  }

  // MARK: Parts

  private func registration(_ call: IncomingCall) throws(DBusError) -> FlowRegistration {
    guard call.arguments.count == 3, let path = call.arguments[0].objectPath, let flows = call.arguments[1].elements,
      let options = call.arguments[2].vardict
    else { throw .invalidArgs("RegisterFlows needs a path, flows and options") }
    guard flows.count <= 1000 else { throw .limitsExceeded("a provider must not serve more than 1000 flows") }
    var registered: [RegisteredFlow] = []
    for flow in flows {
      guard let values = flow.vardict else { throw .invalidArgs("a flow is not a dictionary") }
      registered.append(try RegisteredFlow(values))
    }
    let names = registered.map(\.description.name)
    guard Set(names).count == names.count else { throw .invalidArgs("a flow is registered twice") }
    let concurrency = Int(clamping: options["concurrency"]?.uint64 ?? UInt64(FlowRegistration.maxConcurrency))
    return FlowRegistration(
      owner: call.sender, name: options["name"]?.string ?? "", path: path,
      concurrency: min(max(concurrency, 1), FlowRegistration.maxConcurrency), flows: registered,
      digest: options["digest"]?.string ?? "")
  }

  private func tell(_ change: ProviderTable.Change) {
    let used = change.removed.isEmpty ? [] : Set(roots.live.values.lazy.flatMap { $0.state.coordinators.values.map(\.flow) })
    for name in change.removed { providedFlows.remove(name, isUsed: used.contains(name)) }
    flowEntries = catalogue.entries
    activityHasChanged()
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

  private func heldCount(of flows: Set<String>) -> Int {
    roots.live.values.reduce(0) { $0 + $1.state.coordinators.values.count { flows.contains($0.flow) && $0.hold != nil } }
  }

  /// Tries again what coordinators wait for whose flows are served again.
  private func retryHolds(of flows: Set<String>) {
    for root in roots.live.values where !root.holds.isEmpty {
      // A coordinator of another flow may be held because its parent could not be asked.
      if root.state.coordinators.values.contains(where: { flows.contains($0.flow) }) { root.tree.retryServed() }
    }
  }
}
