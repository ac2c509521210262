import CoordinatorBus
import CoordinatorKit
import DBus

/// What a flow tree shows.
struct RouterObject: ContractObject {
  let host: FlowHost
  let root: CoordinatorPath

  var interfaces: [InterfaceDescription] { [Contract.router] }

  func property(_ name: String, of interface: String) throws(DBusError) -> Value {
    guard let value = host.assumeIsolated({ $0.routerProperty(name, of: root) }) else {
      throw .unknownProperty("no property \(name)")
    }
    return value
  }

  func handle(_ call: IncomingCall) {
    host.assumeIsolated { host in
      let name = String(root.root)
      switch call.member {
      case "Attach":
        if let error = host.refusalToAttach(call.sender, to: name) { return call.fail(error) }
        do throws(DBusError) {
          host.attach(call.sender, to: name, as: try RendererCapabilities(call))
        } catch {
          return call.fail(error)
        }
        call.reply([host.routerProperty("Revision", of: root) ?? .uint64(0), host.screens(of: root)])
      case "Detach":
        host.detach(call.sender, from: name)
        call.reply()
      case "Back": host.post(call, to: root) { () throws(DBusError) in try host.goingBack(call) }
      case "SaveDraft": host.post(call, to: root) { () throws(DBusError) in try host.draftSaving(call) }
      default: call.fail(.unknownMethod("no method \(call.member)"))
      }
    }
  }
}

extension FlowHost {
  func routerProperty(_ name: String, of root: CoordinatorPath) -> Value? {
    switch name {
    case "Coordinator": .objectPath(root.objectPath)
    case "Revision": liveRoot(of: root).map { .uint64($0.state.revision) }
    case "Screens": screens(of: root)
    case "Renderers": renderers(of: root)
    default: nil
    }
  }

  /// Who is attached, in the order of their names.
  private func renderers(of root: CoordinatorPath) -> Value {
    .vardicts((liveRoot(of: root)?.renderers ?? [:]).sorted { $0.key < $1.key }.map { $0.value.vardict(client: $0.key) })
  }

  /// What the tree shows, bottom first, with the latest progress.
  func screens(of root: CoordinatorPath) -> Value {
    guard let live = liveRoot(of: root) else { return .vardicts([]) }
    return .vardicts(live.state.window.screens.map { $0.vardict(progress: live.progress[$0.id]) })
  }
}
