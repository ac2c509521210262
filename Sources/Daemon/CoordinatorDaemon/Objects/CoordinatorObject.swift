import CoordinatorBus
import CoordinatorKit
import DBus

/// One running coordinator.
struct CoordinatorObject: ContractObject {
  let host: FlowHost
  let path: CoordinatorPath

  var interfaces: [InterfaceDescription] { [Contract.coordinator] }

  func property(_ name: String, of interface: String) throws(DBusError) -> Value {
    guard let value = host.assumeIsolated({ $0.hostedRoot(of: path)?.property(name, of: path) }) else {
      throw .unknownProperty("no property \(name)")
    }
    return value
  }

  func handle(_ call: IncomingCall) {
    host.assumeIsolated { $0.post(call, to: path) }
  }
}
