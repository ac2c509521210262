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
      for flow in registration.flows {
        providedFlows.add(flow.description, schemas: flow.schemas, wantsLooking: flow.wantsLooking)
      }
      track(call.sender)
      tell(change)
      call.reply([.uint32(UInt32(clamping: liveCount(of: registration.flows.map(\.description.name))))])
      retryHolds(of: Set(registration.flows.map(\.description.name)))
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

  /// Handles `EndWork`.
  func endWork(_ call: IncomingCall) {
    guard let ticket = ticket(call), let result = call.arguments.last?.vardict else {
      return call.fail(.invalidArgs("EndWork needs an instance, a piece of work and a result"))
    }
    let end: ProvidedWork.End
    if let value = result["value"]?.string {
      end = .done(value)
    } else if let type = result["type"]?.string {
      end = .failed(ProvidedWork.Trouble(type: type, message: result["message"]?.string ?? ""))
    } else {
      return call.fail(.invalidArgs("the result of work needs a value, or the type of an error"))
    }
    guard provider.work.hasEnded(ticket, end, by: call.sender) else {
      return call.fail(.accessDenied("another connection performs this work"))
    }
    call.reply()
  }

  /// Handles `ReportWork`.
  func reportWork(_ call: IncomingCall) {
    guard let ticket = ticket(call), let values = call.arguments.last?.vardict else {
      return call.fail(.invalidArgs("ReportWork needs an instance, a piece of work and progress"))
    }
    let live: [String: [String: JSONValue]]?
    do { live = try values["live"].map(AnswerDecoder.live) } catch {
      return call.fail(.invalidArgs("what work shows must be parts of screens by key, of at most 1 MiB: \(error)"))
    }
    if let context = provider.work.context(of: ticket, by: call.sender) {
      if let live { context.show(live: live) }
      guard values["text"] != nil || values["fraction"] != nil || values["live"] == nil else { return call.reply() }
      let text = values["text"]?.string.map { Text(verbatim: $0) }
      context.report(Progress(fraction: values["fraction"]?.double.map { min(max($0, 0), 1) }, text: text))
    }
    call.reply()
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
    provider.withTable { $0.all.contains { $0.owner == sender } } || provider.work.isPerforming(sender)
  }

  /// Removes the flows of a connection that has left the bus. Their coordinators remain.
  func providerHasLeft(_ sender: String) {
    let change = provider.withTable { $0.unregister(nil, of: sender) }
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
    return FlowRegistration(owner: call.sender, name: options["name"]?.string ?? "", path: path, flows: registered)
  }

  private func ticket(_ call: IncomingCall) -> WorkDesk.Ticket? {
    guard call.arguments.count == 3, let instance = call.arguments[0].string, let work = call.arguments[1].string else {
      return nil
    }
    return WorkDesk.Ticket(instance: instance, work: work)
  }

  private func tell(_ change: ProviderTable.Change) {
    for name in change.removed { providedFlows.remove(name, isUsed: liveCount(of: [name]) > 0) }
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
    for root in roots.live.values {
      // A coordinator of another flow may be held because its parent could not be asked.
      let isConcerned = root.state.coordinators.values.contains { flows.contains($0.flow) }
      if isConcerned, !root.state.holds.isEmpty { root.tree.retryHeld() }
    }
  }
}
