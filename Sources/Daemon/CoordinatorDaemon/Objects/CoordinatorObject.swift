import CoordinatorBus
import CoordinatorKit
import DBus

/// One running coordinator.
struct CoordinatorObject: ContractObject {
  let host: FlowHost
  let path: CoordinatorPath

  var interfaces: [InterfaceDescription] { [Contract.coordinator] }

  func property(_ name: String, of interface: String) throws(DBusError) -> Value {
    guard let value = host.assumeIsolated({ $0.coordinatorProperty(name, of: path) }) else {
      throw .unknownProperty("no property \(name)")
    }
    return value
  }

  func handle(_ call: IncomingCall) {
    host.assumeIsolated { $0.post(call, to: path) }
  }
}

extension FlowHost {
  func coordinatorProperty(_ name: String, of path: CoordinatorPath) -> Value? {
    guard let root = hostedRoot(of: path), let coordinator = root.coordinator(at: path) else { return nil }
    return switch name {
    case "Flow": .string(coordinator.flow)
    case "Parent": .objectPath(path.parent?.objectPath ?? .root)
    case "Children": .objectPaths(coordinator.children.map(\.objectPath))
    case "Router": .objectPath(path.routerPath)
    case "Screens": .array(of: .uint64, root.screens(of: path).map { .uint64($0.number) })
    case "StartedAt": .uint64(coordinator.startedAt)
    case "Held": .string(root.held)
    default: nil
    }
  }
}
