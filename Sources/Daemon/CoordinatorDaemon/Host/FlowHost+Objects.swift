import CoordinatorBus
import DBus

/// Looks up objects when they are called.
extension FlowHost: ObjectSource {
  nonisolated var objectManagerPath: ObjectPath? { Contract.rootPath }

  nonisolated func object(at path: ObjectPath) -> (any ExportedObject)? {
    switch assumeIsolated({ $0.roots.object(at: path) }) {
    case .manager: ManagerObject(host: self)
    case .router(let root): RouterObject(host: self, root: root)
    case .coordinator(let path): CoordinatorObject(host: self, path: path)
    case nil: nil
    }
  }

  nonisolated func childNames(of path: ObjectPath) -> [String] { assumeIsolated { $0.roots.names(below: path) } }

  nonisolated func managedPaths() -> [ObjectPath] { assumeIsolated { $0.roots.objectPaths } }

  nonisolated func managedSize() -> Int { assumeIsolated { $0.roots.roughSize } }

  nonisolated func visible(to call: IncomingCall) -> any ObjectSource {
    let hidden = assumeIsolated { $0.configuration.access.flows(hiddenFrom: call.credentials) }
    return hidden.isEmpty ? self : VisibleObjects(host: self, hidden: hidden)
  }

  nonisolated var managedStamp: UInt64 { assumeIsolated { $0.roots.stamp } }

  /// Checks request keys before the object is looked up, so that a repeated call is answered even if its object is
  /// gone.
  nonisolated func intercept(_ call: IncomingCall) -> Bool { assumeIsolated { $0.takeIn(call) } }

  private func takeIn(_ call: IncomingCall) -> Bool {
    idleWatch.called()
    return holdBack(call) || refuseByRule(call) || answerForGoneObject(call)
  }

  /// Holds back a call that needs something that has not been restored yet.
  ///
  /// - Returns: whether the call is held back.
  private func holdBack(_ call: IncomingCall) -> Bool {
    guard !restoration.isDone else { return false }
    let need = reader.need(of: call.member, at: call.path, call.arguments)
    guard restoration.isMissing(need) else { return false }
    restoration.hold(call, for: need)
    return true
  }
}
