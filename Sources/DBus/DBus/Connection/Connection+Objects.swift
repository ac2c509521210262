/// Something is in the way of an object.
public struct PathInUse: Error, Sendable, Hashable {
  /// The path that is taken.
  public let path: ObjectPath

  /// Says that `path` is taken.
  public init(path: ObjectPath) { self.path = path }
}

extension Connection {
  /// Serves a subtree: `path` itself and everything below it. A source that was there is replaced. Of sources within each
  /// other the deeper one answers.
  public func serve(_ source: any ObjectSource, below path: ObjectPath) { objects.add(source, below: path) }

  /// Ends what ``serve(_:below:)`` has begun.
  public func stopServing(below path: ObjectPath) { objects.removeSource(below: path) }

  /// Puts one object at a path. It comes before any that a source has there.
  ///
  /// - Throws: `PathInUse` if the path has one already.
  public func export(_ object: any ExportedObject, at path: ObjectPath) throws(PathInUse) {
    guard objects.exports[path] == nil else { throw PathInUse(path: path) }
    objects.exports[path] = object
  }

  /// Takes an object away that ``export(_:at:)`` has put up.
  public func unexport(_ path: ObjectPath) { objects.exports[path] = nil }
}
