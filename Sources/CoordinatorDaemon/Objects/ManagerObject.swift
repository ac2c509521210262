import CoordinatorBus
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
      case "ListActive": host.listActive(call)
      case "ListFlows": call.reply([host.flowList])
      default: call.fail(.unknownMethod("no method \(call.member)"))
      }
    }
  }
}

extension FlowHost {
  func managerProperty(_ name: String) -> Value? {
    let limits = configuration.limits
    return switch name {
    case "Version": .string(configuration.version)
    case "ActiveFlows": .uint32(UInt32(clamping: roots.live.count))
    case "Renderers": .uint32(UInt32(clamping: rendererCount))
    case "MaxFlows": .uint32(limits.maxFlows)
    case "MaxFlowsPerClient": .uint32(limits.maxFlowsPerClient)
    case "MaxDepth": .uint32(limits.maxDepth)
    case "MaxItems": .uint32(limits.maxItems)
    case "MaxPayload": .uint32(limits.maxPayload)
    case "MaxOutcomes": .uint32(limits.maxOutcomes)
    default: nil
    }
  }

  func outcome(_ call: IncomingCall) {
    do throws(DBusError) {
      var arguments = Arguments(call)
      let path = try arguments.objectPath()
      guard let coordinator = CoordinatorPath(objectPath: path), let outcome = outcome(of: coordinator) else {
        throw .unknownObject("nothing is known of \(path)")
      }
      call.reply([.string(outcome.name), outcome.result])
    } catch {
      call.fail(error)
    }
  }

  private func outcome(of path: CoordinatorPath) -> (name: String, result: Value)? {
    let name = String(path.root)
    if let state = roots.live[name]?.state {
      if state.coordinators[path] != nil { return ("active", .vardict([:])) }
      return state.outcomes[path].map { ($0.name, $0.resultValue) }
    }
    guard let ended = roots.ended[name], ended.path == path else { return nil }
    return (ended.outcome.name, ended.outcome.resultValue)
  }

  func listActive(_ call: IncomingCall) {
    let rows = roots.liveInOrder.map { root in
      Value.structure([
        .objectPath(root.state.root.objectPath), .string(root.request.flow), .string(root.request.token ?? ""),
        .uint64(root.state.coordinators[root.state.root]?.startedAt ?? 0),
      ])
    }
    call.reply([.array(of: .structure([.objectPath, .string, .string, .uint64]), rows)])
  }
}
