import CoordinatorBus
import DBus

/// The objects that the daemon has shown, by walking its introspection from the root.
struct ObjectMap: Sendable {
  /// What is there.
  var objects: [(path: ObjectPath, interfaces: [InterfaceDescription])] = []
  /// Some of what was there before.
  var gone: [ObjectPath] = []

  /// Walks from the root, over at most so many objects.
  ///
  /// - Parameters:
  ///   - limit: More objects are left out.
  ///   - introspect: Asks one object; nil if it is no more.
  /// - Throws: What `introspect` throws.
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
