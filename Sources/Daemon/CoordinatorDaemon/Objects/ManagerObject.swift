import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus

/// The object that starts flows.
struct ManagerObject: ContractObject {
  let host: FlowHost

  var interfaces: [InterfaceDescription] { [Contract.manager] }

  func property(_ name: String, of interface: String) throws(DBusError) -> Value {
    guard let value = host.assumeIsolated({ $0.managerProperty(name) }) else { throw .unknownProperty("no property \(name)") }
    return value
  }

  func handle(_ call: IncomingCall) {
    host.assumeIsolated { host in
      switch call.member {
      case "StartFlow": host.start(call, answerWhen: .started)
      case "RunFlow": host.start(call, answerWhen: .ended)
      case "GetOutcome": host.outcome(call)
      case "GetEnding": host.ending(call)
      case "ListActive": host.listActive(call)
      case "ListEnded": host.listEnded(call)
      case "RetryHeld": host.retryHeld(call)
      case "Forget": host.forget(call)
      case "ListFlows": host.listFlows(call)
      case "ListFlowsAfter": host.listFlowsAfter(call)
      case "RegisterFlows": host.registerFlows(call)
      case "UnregisterFlows": host.unregisterFlows(call)
      case "EndWork": host.endWork(call)
      case "ReportWork": host.reportWork(call)
      case "ReadState": host.readState(call)
      case "ListProviders": host.listProviders(call)
      default: call.fail(.unknownMethod("no method \(call.member)"))
      }
    }
  }
}

extension FlowHost {
  fileprivate func managerProperty(_ name: String) -> Value? {
    switch name {
    case "ActiveFlows": .uint32(UInt32(clamping: roots.activeCount))
    case "Renderers": .uint32(UInt32(clamping: clients.rendererCount))
    case "Features": .strings(Contract.features)
    case "Languages":
      .array(
        of: .structure([.string, .string]),
        catalogue.translations.languages.map { .structure([.string($0.tag.bcp47), .string($0.name)]) })
    default: configuration.property(name)
    }
  }

  /// Handles `GetOutcome`.
  fileprivate func outcome(_ call: IncomingCall) {
    do throws(DBusError) {
      let (path, coordinator) = try reader.outcomeRequest(call.arguments)
      guard let coordinator, let known = try roots.outcome(of: coordinator) else {
        throw .unknownObject("no coordinator \(path) is known")
      }
      switch known {
      case .active: call.reply([.string("active"), .vardict([:])])
      case .ended(let outcome): call.reply(outcome.values)
      }
    } catch {
      call.fail(error)
    }
  }

  /// Handles `GetEnding`.
  fileprivate func ending(_ call: IncomingCall) {
    do throws(DBusError) {
      let (path, root) = try reader.outcomeRequest(call.arguments)
      guard let root, let ended = roots.ended[String(root.root)], ended.path == root else {
        throw .unknownObject("no flow is remembered that ended at \(path)")
      }
      call.reply([ended.value])
    } catch {
      call.fail(error)
    }
  }

  /// Handles `Forget`. Before the restoration is done, it waits for it.
  fileprivate func forget(_ call: IncomingCall) {
    do throws(DBusError) {
      let token = try reader.forgetRequest(call.arguments)
      if restoration.isMissing(.root(token)) { return restoration.hold(call, for: .root(token)) }
      guard try roots.canForget(token) else { return call.reply([.boolean(false)]) }
      guard let journal = environments.journal else {
        roots.forget(token)
        return call.reply([.boolean(true)])
      }
      Task {
        do throws(JournalError) {
          try await journal.forget(token)
          self.roots.forget(token)
          call.reply([.boolean(true)])
        } catch {
          call.fail(CallError.notStored(error.description).dbusError)
        }
      }
    } catch {
      call.fail(error)
    }
  }

  /// Handles `ListFlows`: what the caller may start.
  fileprivate func listFlows(_ call: IncomingCall) {
    let hidden = configuration.access.flows(hiddenFrom: call.credentials)
    guard flowList.size > LargeAnswer.size else { return call.reply([.vardicts(flowList.values(hiding: hidden))]) }
    // Callers who see the same share an answer.
    let key = "ListFlows without \(hidden.sorted())"
    call.reply(inTurn: { () throws(DBusError) in
      self.assumeIsolated { host in
        LargeAnswer(key: key, stamp: host.flowList.stamp) { [list = host.flowList] in [.vardicts(list.values(hiding: hidden))] }
      }
    })
  }

  /// Handles `ListFlowsAfter`: a part of what the caller may start.
  fileprivate func listFlowsAfter(_ call: IncomingCall) {
    do throws(DBusError) {
      var arguments = Arguments(call.arguments)
      let last = try arguments.name()
      let count = Int(clamping: try arguments.unsigned())
      let page = flowList.page(
        after: last, count: count == 0 ? .max : count, bytes: LargeAnswer.size,
        hiding: configuration.access.flows(hiddenFrom: call.credentials))
      call.reply([.vardicts(page.entries), .boolean(page.hasMore)])
    } catch {
      call.fail(error)
    }
  }

  /// Handles `ListActive`: the trees of flows that the caller may start.
  fileprivate func listActive(_ call: IncomingCall) {
    let hidden = configuration.access.flows(hiddenFrom: call.credentials)
    guard roots.activeRowsSize > LargeAnswer.size else { return call.reply([roots.activeRows(hiding: hidden)]) }
    // Callers who see the same share an answer.
    let key = "ListActive without \(hidden.sorted())"
    call.reply(inTurn: { () throws(DBusError) in
      self.assumeIsolated { host in
        LargeAnswer(key: key, stamp: host.roots.stamp) { [roots = host.roots] in [roots.activeRows(hiding: hidden)] }
      }
    })
  }
}

extension EndedRoot {
  /// What `GetEnding` tells of it.
  fileprivate var value: Value {
    let told = outcome.values
    return .vardict(["flow": .string(flow), "outcome": told[0], "result": told[1]])
  }
}

extension FlowHost {
  /// Handles `ListEnded`: the ended trees of flows that the caller may start.
  fileprivate func listEnded(_ call: IncomingCall) {
    call.reply([roots.endedRows(hiding: configuration.access.flows(hiddenFrom: call.credentials))])
  }
}

extension DaemonConfiguration {
  /// Returns a property of the manager that never changes while the daemon runs; nil if there is no such property.
  fileprivate func property(_ name: String) -> Value? {
    switch name {
    case "Version": .string(version)
    case "MaxFlows": .uint32(limits.maxFlows)
    case "MaxFlowsPerClient": .uint32(limits.maxFlowsPerClient)
    case "MaxDepth": .uint32(limits.maxDepth)
    case "MaxItems": .uint32(limits.maxItems)
    case "MaxPayload": .uint32(limits.maxPayload)
    case "MaxOutcomes": .uint32(limits.maxOutcomes)
    case "MaxRegisteredFlows": .uint32(limits.maxRegisteredFlows)
    case "MaxRegisteredBytes": .uint32(limits.maxRegisteredBytes)
    default: nil
    }
  }
}
