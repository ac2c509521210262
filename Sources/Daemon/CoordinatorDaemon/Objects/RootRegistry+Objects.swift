import CoordinatorBus
import CoordinatorKit
import DBus

/// Looks up objects on the bus in the registry. They are those of the state that was published last.
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
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - hidden: the flows whose trees are left out.
  /// - Returns: the elements.
  func names(below path: ObjectPath, hiding hidden: Set<String> = []) -> [String] {
    if path == Contract.rootPath { return activeCount == 0 ? [] : Contract.flowsPath.elements.suffix(1).map(String.init) }
    if path == Contract.flowsPath {
      return (live.keys + held.all.map(\.name)).filter { !isHidden($0, hidden) }.sorted()
    }
    guard let coordinator = CoordinatorPath(objectPath: path), let root = hosted(String(coordinator.root)) else { return [] }
    let children = root.names(below: coordinator)
    return coordinator.depth == 1 ? children + [Contract.routerElement] : children
  }

  private func isHidden(_ name: String, _ hidden: Set<String>) -> Bool {
    !hidden.isEmpty && hosted(name).map { hidden.contains($0.flow) } == true
  }

  /// The paths of all objects: trees in the order in which they were started, and the manager last.
  var objectPaths: [ObjectPath] { objectPaths(hiding: []) }

  /// Returns the paths of all objects, except those of the trees of some flows.
  func objectPaths(hiding hidden: Set<String>) -> [ObjectPath] {
    active.inOrder.filter { !hidden.contains($0.flow) }.flatMap { root in
      [root.path.objectPath, root.path.routerPath] + root.paths.dropFirst().map(\.objectPath)
    } + [Contract.rootPath]
  }
}
