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
      case "RetryHeld": host.retryHeld(call)
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
    case "ActiveFlows": .uint32(UInt32(clamping: roots.activeCount))
    case "Renderers": .uint32(UInt32(clamping: clients.rendererCount))
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
      var arguments = Arguments(call.arguments)
      let path = try arguments.objectPath()
      guard let coordinator = CoordinatorPath(objectPath: path), let outcome = try outcome(of: coordinator) else {
        throw .unknownObject("no coordinator \(path) is known")
      }
      call.reply([.string(outcome.name), outcome.result])
    } catch {
      call.fail(error)
    }
  }

  private func outcome(of path: CoordinatorPath) throws(DBusError) -> (name: String, result: Value)? {
    let name = String(path.root)
    if let root = roots.hosted(name) {
      if root.coordinator(at: path) != nil { return ("active", .vardict([:])) }
      if let outcome = root.outcome(of: path) { return (outcome.name, outcome.resultValue) }
      // It may be among what cannot be read.
      guard root.held.isEmpty else { throw .held(root.held) }
      return nil
    }
    guard let ended = roots.ended[name], ended.path == path else { return nil }
    return (ended.outcome.name, resultValue(of: ended.outcome))
  }

  func listActive(_ call: IncomingCall) {
    // A row has about a hundred bytes.
    guard roots.activeCount * 100 > LargeAnswer.size else { return call.reply([Self.rows(of: roots)]) }
    call.reply(inTurn: { () throws(DBusError) in
      self.assumeIsolated { host in
        LargeAnswer(key: "ListActive", stamp: host.roots.stamp) { [roots = host.roots] in [Self.rows(of: roots)] }
      }
    })
  }

  private static func rows(of roots: RootRegistry) -> Value {
    let rows = roots.hostedInOrder.map { root in
      Value.structure([
        .objectPath(root.path.objectPath), .string(root.flow), .string(root.token ?? ""),
        .uint64(root.coordinator(at: root.path)?.startedAt ?? 0),
      ])
    }
    return .array(of: .structure([.objectPath, .string, .string, .uint64]), rows)
  }
}
