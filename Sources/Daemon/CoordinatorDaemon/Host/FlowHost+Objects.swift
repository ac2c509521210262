import CoordinatorBus
import CoordinatorKit
import DBus

/// Objects are looked up when they are called: what lives is what was last published.
extension FlowHost: ObjectSource {
  nonisolated var objectManagerPath: ObjectPath? { Contract.rootPath }

  nonisolated func object(at path: ObjectPath) -> (any ExportedObject)? { assumeIsolated { $0.find(path) } }

  nonisolated func childNames(of path: ObjectPath) -> [String] { assumeIsolated { $0.names(below: path) } }

  nonisolated func managedPaths() -> [ObjectPath] { assumeIsolated { $0.allPaths() } }

  nonisolated func managedSize() -> Int { assumeIsolated { $0.roots.roughSize } }

  nonisolated var managedStamp: UInt64 { assumeIsolated { $0.roots.stamp } }

  /// Request keys are looked up before the object is: a call that was answered once is answered again, also when its object is gone.
  nonisolated func intercept(_ call: IncomingCall) -> Bool { assumeIsolated { $0.takeIn(call) } }

  private func takeIn(_ call: IncomingCall) -> Bool {
    calls &+= 1
    return holdBack(call) || answerRepeated(call)
  }

  private func find(_ path: ObjectPath) -> (any ExportedObject)? {
    if path == Contract.rootPath { return ManagerObject(host: self) }
    guard let coordinator = CoordinatorPath(objectPath: path), let root = hostedRoot(of: coordinator) else { return nil }
    if coordinator.isRouter { return RouterObject(host: self, root: root.path) }
    return root.coordinator(at: coordinator) == nil ? nil : CoordinatorObject(host: self, path: coordinator)
  }

  private func names(below path: ObjectPath) -> [String] {
    if path == Contract.rootPath { return roots.activeCount == 0 ? [] : Contract.flowsPath.elements.suffix(1).map(String.init) }
    if path == Contract.flowsPath { return (roots.live.keys + roots.held.all.map(\.name)).sorted() }
    guard let coordinator = CoordinatorPath(objectPath: path), let root = hostedRoot(of: coordinator) else { return [] }
    let children = root.names(below: coordinator)
    return coordinator.depth == 1 ? children + [Contract.routerElement] : children
  }

  private func allPaths() -> [ObjectPath] {
    roots.hostedInOrder.flatMap { root in
      [root.path.objectPath, root.path.routerPath] + root.paths.dropFirst().map(\.objectPath)
    } + [Contract.rootPath]
  }

  /// Answers a call from what was published: whatever took an object away has been published with the answer.
  private func answerRepeated(_ call: IncomingCall) -> Bool {
    guard Self.hasRequestKey(call), let path = CoordinatorPath(objectPath: call.path),
      let requests = requests(of: String(path.root)), let (asked, key) = keyedCall(call, at: path)
    else { return false }
    do throws(CallError) {
      guard let kept = try requests.answer(to: asked, key: key) else { return false }
      call.answer(kept.result, to: asked)
    } catch {
      call.fail(error.dbusError)
    }
    return true
  }

  /// A cheap first look: options come last, and most calls have none.
  private static func hasRequestKey(_ call: IncomingCall) -> Bool {
    guard case .dictionary(_, _, let options)? = call.arguments.last else { return false }
    return options.contains { $0.key == .string(Options.Key.request.rawValue) }
  }

  private func requests(of name: String) -> RequestLedger? { roots.hosted(name)?.requests ?? roots.ended[name]?.requests }

  /// A call with a request key, if it is one whose answers are kept and nothing is wrong with it.
  private func keyedCall(_ call: IncomingCall, at path: CoordinatorPath) -> (TreeCall, String)? {
    let isRouter = path.depth == 2 && path.name == Contract.routerElement
    let interface = isRouter ? Contract.router : Contract.coordinator
    guard call.interface ?? interface.name == interface.name, let method = interface.method(call.member),
      call.arguments.count == method.inputs.count
    else { return nil }
    let read: (TreeCall, String?)? =
      switch call.member {
      case "Delegate": try? delegation(call, path)
      case "Dismiss": try? dismissal(call, path)
      case "StartChild": try? childStart(call, path)
      case "Back": try? goingBack(call)
      default: nil
      }
    guard let (asked, key) = read, let key else { return nil }
    return (asked, key)
  }
}
