/// All objects of a connection: those exported one by one, and the sources.
struct ObjectTree {
  /// The objects exported with ``Connection/export(_:at:)``.
  var exports: [ObjectPath: any ExportedObject] = [:]
  /// The sources, deepest first, so that the first one that covers a path is the one to ask.
  private(set) var sources: [(below: ObjectPath, source: any ObjectSource)] = []

  mutating func add(_ source: any ObjectSource, below path: ObjectPath) {
    sources.removeAll { $0.below == path }
    sources.append((path, source))
    sources.sort { $0.below.string.utf8.count > $1.below.string.utf8.count }
  }

  mutating func removeSource(below path: ObjectPath) { sources.removeAll { $0.below == path } }

  /// Returns the source that is responsible for a path; nil if there is none.
  func source(for path: ObjectPath) -> (any ObjectSource)? {
    sources.first { $0.below == path || path.isBelow($0.below) }?.source
  }

  func object(at path: ObjectPath) -> (any ExportedObject)? { exports[path] ?? source(for: path)?.object(at: path) }

  /// Returns the names directly below the called path that the caller may see, sorted.
  func childNames(for call: IncomingCall) -> [String] {
    let path = call.path
    var names = Set(source(for: path)?.visible(to: call).childNames(of: path) ?? [])
    for other in exports.keys { Self.nextElement(of: other, below: path).map { _ = names.insert($0) } }
    for (other, _) in sources { Self.nextElement(of: other, below: path).map { _ = names.insert($0) } }
    return names.sorted()
  }

  private static func nextElement(of path: ObjectPath, below parent: ObjectPath) -> String? {
    guard path.isBelow(parent) else { return nil }
    let rest = path.string.utf8.dropFirst(parent.isRoot ? 1 : parent.string.utf8.count + 1)
    return String(Substring(rest.prefix { $0 != UInt8(ascii: "/") }))
  }
}
