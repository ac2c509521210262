import CoordinatorBus
import DBus

/// The object that starts flows.
struct ManagerObject: ContractObject {
  let host: FlowHost

  var interfaces: [InterfaceDescription] { [Contract.manager] }

  func property(_ name: String, of interface: String) throws(DBusError) -> Value {
    guard let value = host.enter({ $0.manager.property(name) }) else { throw .unknownProperty("no property \(name)") }
    return value
  }

  func handle(_ call: IncomingCall) {
    host.enter { parts in
      switch call.member {
      case "StartFlow": parts.starts.start(call, answerWhen: .started)
      case "RunFlow": parts.starts.start(call, answerWhen: .ended)
      case "GetOutcome": parts.manager.outcome(call)
      case "GetEnding": parts.manager.ending(call)
      case "ListActive": parts.manager.listActive(call)
      case "ListEnded": parts.manager.listEnded(call)
      case "RetryHeld": parts.heldTrees.retry(call)
      case "Forget": parts.manager.forget(call)
      case "ListFlows": parts.manager.listFlows(call)
      case "ListFlowsAfter": parts.manager.listFlowsAfter(call)
      case "RegisterFlows": parts.providerCalls.registerFlows(call)
      case "UnregisterFlows": parts.providerCalls.unregisterFlows(call)
      case "EndWork": parts.workCalls.endWork(call)
      case "ReportWork": parts.workCalls.reportWork(call)
      case "ReadState": parts.providerCalls.readState(call)
      case "ListProviders": parts.providerCalls.listProviders(call)
      default: call.fail(.unknownMethod("no method \(call.member)"))
      }
    }
  }
}
