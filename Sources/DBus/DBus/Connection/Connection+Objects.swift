/// The error for exporting an object at a path that already has one.
public struct PathInUse: Error, Sendable, Hashable {
  /// The path that is in use.
  public let path: ObjectPath

  /// Creates an error about `path`.
  public init(path: ObjectPath) { self.path = path }
}

extension Connection {
  /// Serves a subtree: `path` and everything below it. Replaces a source already registered at `path`. If sources are
  /// nested, the deepest one answers.
  public func serve(_ source: any ObjectSource, below path: ObjectPath) { objects.add(source, below: path) }

  /// Stops serving a subtree that was registered with ``serve(_:below:)``.
  public func stopServing(below path: ObjectPath) { objects.removeSource(below: path) }

  /// Exports one object at a path. It takes precedence over an object that a source provides there.
  ///
  /// - Throws: `PathInUse` if an object is already exported at the path.
  public func export(_ object: any ExportedObject, at path: ObjectPath) throws(PathInUse) {
    guard objects.exports[path] == nil else { throw PathInUse(path: path) }
    objects.exports[path] = object
  }

  /// Removes an object that was exported with ``export(_:at:)``.
  public func unexport(_ path: ObjectPath) { objects.exports[path] = nil }
}
