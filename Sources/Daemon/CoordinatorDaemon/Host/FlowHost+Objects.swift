import CoordinatorBus
import CoordinatorKit
import DBus

/// Looks up objects when they are called. The objects that exist are those of the state that was published last.
extension FlowHost: ObjectSource {
  nonisolated var objectManagerPath: ObjectPath? { Contract.rootPath }

  nonisolated func object(at path: ObjectPath) -> (any ExportedObject)? { assumeIsolated { $0.find(path) } }

  nonisolated func childNames(of path: ObjectPath) -> [String] { assumeIsolated { $0.names(below: path) } }

  nonisolated func managedPaths() -> [ObjectPath] { assumeIsolated { $0.allPaths() } }

  nonisolated func managedSize() -> Int { assumeIsolated { $0.roots.roughSize } }

  nonisolated var managedStamp: UInt64 { assumeIsolated { $0.roots.stamp } }

  /// Checks request keys before the object is looked up, so that a repeated call is answered even if its object is
  /// gone.
  nonisolated func intercept(_ call: IncomingCall) -> Bool { assumeIsolated { $0.takeIn(call) } }

  private func takeIn(_ call: IncomingCall) -> Bool {
    idleWatch.called()
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
}
