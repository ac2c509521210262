import CoordinatorBus
import DBus

/// The objects that the daemon exports, found by walking its introspection data from the root.
struct ObjectMap: Sendable {
  /// The objects that exist.
  var objects: [(path: ObjectPath, interfaces: [InterfaceDescription])] = []
  /// The paths of some objects that existed before.
  var gone: [ObjectPath] = []

  /// Walks the objects from the root.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of objects to visit.
  ///   - introspect: introspects an object; returns nil if it no longer exists.
  /// - Throws: any error that `introspect` throws.
  mutating func walk(limit: Int = 400, _ introspect: (ObjectPath) async throws -> NodeDescription?) async throws {
    var found: [(path: ObjectPath, interfaces: [InterfaceDescription])] = []
    var open: [ObjectPath] = [.root]
    while let path = open.popLast(), found.count < limit {
      guard let node = try await introspect(path) else { continue }
      found.append((path, node.interfaces))
      open += node.childNames.compactMap { try? path.appending($0) }
    }
    let alive = Set(found.map(\.path))
    gone = Array((objects.map(\.path).filter { !alive.contains($0) } + gone).prefix(100))
    objects = found
  }
}
