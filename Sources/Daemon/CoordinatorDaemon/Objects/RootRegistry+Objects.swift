import CoordinatorBus
import CoordinatorKit
import DBus

/// The objects on the bus, as they follow from the registry: those of the state that was published last.
extension RootRegistry {
  /// An object on the bus.
  enum FoundObject: Sendable, Hashable {
    case manager
    /// The router of a root.
    case router(CoordinatorPath)
    case coordinator(CoordinatorPath)
  }

  /// Returns the object at a path; nil if there is none.
  func object(at path: ObjectPath) -> FoundObject? {
    if path == Contract.rootPath { return .manager }
    guard let coordinator = CoordinatorPath(objectPath: path), let root = hosted(String(coordinator.root)) else { return nil }
    if coordinator.isRouter { return .router(root.path) }
    return root.coordinator(at: coordinator) == nil ? nil : .coordinator(coordinator)
  }

  /// Returns the last path elements of the objects directly below a path.
  func names(below path: ObjectPath) -> [String] {
    if path == Contract.rootPath { return activeCount == 0 ? [] : Contract.flowsPath.elements.suffix(1).map(String.init) }
    if path == Contract.flowsPath { return (live.keys + held.all.map(\.name)).sorted() }
    guard let coordinator = CoordinatorPath(objectPath: path), let root = hosted(String(coordinator.root)) else { return [] }
    let children = root.names(below: coordinator)
    return coordinator.depth == 1 ? children + [Contract.routerElement] : children
  }

  /// The paths of all objects: trees in the order in which they were started, and the manager last.
  var objectPaths: [ObjectPath] {
    hostedInOrder.flatMap { root in
      [root.path.objectPath, root.path.routerPath] + root.paths.dropFirst().map(\.objectPath)
    } + [Contract.rootPath]
  }
}
