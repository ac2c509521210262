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
          host.attach(call.sender, to: name, as: try RendererCapabilities(call))
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
  func routerProperty(_ name: String, of root: CoordinatorPath) -> Value? {
    switch name {
    case "Coordinator": .objectPath(root.objectPath)
    case "Revision": hostedRoot(of: root).map { .uint64($0.revision) }
    case "Screens": screens(of: root)
    case "Renderers": renderers(of: root)
    default: nil
    }
  }

  /// Who is attached, in the order of their names.
  private func renderers(of root: CoordinatorPath) -> Value {
    .vardicts(
      (hostedRoot(of: root)?.clients.renderers ?? [:]).sorted { $0.key < $1.key }.map { $0.value.vardict(client: $0.key) })
  }

  /// What the tree shows, bottom first, with the latest progress.
  ///
  /// One that is held shows nothing.
  func screens(of root: CoordinatorPath) -> Value { liveRoot(of: root)?.screens ?? .vardicts([]) }

  /// Answers Attach.
  func answerAttached(_ call: IncomingCall, to root: CoordinatorPath) {
    guard liveRoot(of: root)?.largeScreens != nil else {
      return call.reply([routerProperty("Revision", of: root) ?? .uint64(0), screens(of: root)])
    }
    call.reply(inTurn: { () throws(DBusError) in
      guard let live = self.assumeIsolated({ $0.liveRoot(of: root) }) else { throw CallError.unknownCoordinator(root).dbusError }
      return LargeAnswer(key: "Attach to \(root.root)", stamp: live.stamp) { [.uint64(live.state.revision), live.screens] }
    })
  }
}

extension LiveRoot {
  /// What the tree shows, bottom first, with the latest progress.
  var screens: Value { .vardicts(state.window.screens.map { $0.vardict(progress: progress[$0.id]) }) }

  /// How to make ``screens``; nil if that takes no time.
  var largeScreens: LargeProperty? {
    guard state.window.isLarger(than: LargeAnswer.size) else { return nil }
    return LargeProperty(stamp: stamp) { screens }
  }
}
