import CoordinatorBus
import CoordinatorJournal

extension StoredRoots {
  /// Splits off the roots whose names cannot be object paths, because something other than this program has changed
  /// them.
  ///
  /// - Returns: the other roots; and the names that were split off, which stay stored as they are.
  func divided() -> (addressable: StoredRoots, nameless: [String]) {
    func canBeNamed(_ name: String) -> Bool { (try? Contract.flowPath(root: name)) != nil }
    var rest = self
    rest.live.removeAll { !canBeNamed($0.name) }
    rest.damaged.removeAll { !canBeNamed($0.name) }
    return (rest, (live.map(\.name) + damaged.map(\.name)).filter { !canBeNamed($0) })
  }
}
