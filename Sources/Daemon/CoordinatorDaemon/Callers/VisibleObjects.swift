import DBus

/// The objects that a caller sees if some flows are hidden from it.
struct VisibleObjects: ObjectSource {
  let host: FlowHost
  /// The flows whose trees are hidden.
  let hidden: Set<String>

  var objectManagerPath: ObjectPath? { host.objectManagerPath }
  var managedStamp: UInt64 { host.managedStamp }
  // Names may contain spaces and commas, which a description quotes.
  var managedView: String { "without \(hidden.sorted())" }

  func object(at path: ObjectPath) -> (any ExportedObject)? { host.object(at: path) }
  func childNames(of path: ObjectPath) -> [String] { host.enter { $0.roots.names(below: path, hiding: hidden) } }
  func managedPaths() -> [ObjectPath] { host.enter { $0.roots.objectPaths(hiding: hidden) } }
  func managedSize() -> Int { host.enter { $0.roots.roughSize(hiding: hidden) } }
}
