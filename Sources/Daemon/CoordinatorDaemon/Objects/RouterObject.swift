import CoordinatorBus
import CoordinatorKit
import DBus

/// The object of a flow tree's router, which lists the screens.
struct RouterObject: ContractObject {
  let host: FlowHost
  let root: CoordinatorPath

  var interfaces: [InterfaceDescription] { [Contract.router] }

  func property(_ name: String, of interface: String) throws(DBusError) -> Value {
    let value = host.assumeIsolated { host in
      // Renderers read the screens most of the time; a live tree is found with fewer copies.
      name == "Screens" ? host.liveRoot(of: root)?.screens ?? .vardicts([]) : host.hostedRoot(of: root)?.routerProperty(name)
    }
    guard let value else { throw .unknownProperty("no property \(name)") }
    return value
  }

  func largeProperty(_ name: String, of interface: String) -> LargeProperty? {
    name == "Screens" ? host.assumeIsolated { $0.liveRoot(of: root)?.largeScreens } : nil
  }

  func handle(_ call: IncomingCall) {
    switch call.member {
    case "Attach": host.enter { $0.attachments.attach(call, to: root) }
    case "Detach": host.enter { $0.attachments.detach(call, from: root) }
    case "Back", "SaveDraft": host.assumeIsolated { $0.post(call, to: root) }
    default: call.fail(.unknownMethod("no method \(call.member)"))
    }
  }
}
