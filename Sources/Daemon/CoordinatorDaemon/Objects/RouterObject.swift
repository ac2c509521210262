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
    host.assumeIsolated { host in
      let name = String(root.root)
      switch call.member {
      case "Attach":
        if let error = host.refusalToAttach(call.sender, to: name) { return call.fail(error) }
        do throws(DBusError) {
          host.attach(call.sender, to: name, as: try RendererCapabilities(call.arguments))
        } catch {
          return call.fail(error)
        }
        host.answerAttached(call, to: root)
      case "Detach":
        host.detach(call.sender, from: name)
        call.reply()
      case "Back", "SaveDraft": host.post(call, to: root)
      default: call.fail(.unknownMethod("no method \(call.member)"))
      }
    }
  }
}

extension FlowHost {
  /// Answers `Attach` with the revision and the screens of a tree.
  fileprivate func answerAttached(_ call: IncomingCall, to root: CoordinatorPath) {
    guard liveRoot(of: root)?.largeScreens != nil else {
      let hosted = hostedRoot(of: root)
      return call.reply([.uint64(hosted?.revision ?? 0), hosted?.screens ?? .vardicts([])])
    }
    call.reply(inTurn: { () throws(DBusError) in
      guard let live = self.assumeIsolated({ $0.liveRoot(of: root) }) else { throw CallError.unknownCoordinator(root).dbusError }
      return LargeAnswer(key: "Attach to \(root.root)", stamp: live.stamp) { [.uint64(live.state.revision), live.screens] }
    })
  }
}
