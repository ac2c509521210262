import CoordinatorKit
import DBus

/// What the manager's methods read from the registry.
extension RootRegistry {
  /// The rows of ListActive, in the order in which the roots were started.
  var activeRows: Value {
    let rows = hostedInOrder.map { root in
      Value.structure([
        .objectPath(root.path.objectPath), .string(root.flow), .string(root.token ?? ""),
        .uint64(root.coordinator(at: root.path)?.startedAt ?? 0),
      ])
    }
    return .array(of: .structure([.objectPath, .string, .string, .uint64]), rows)
  }

  /// About how many bytes ``activeRows`` has.
  var activeRowsSize: Int { activeCount * 100 }

  /// What GetOutcome says of a coordinator.
  enum KnownOutcome: Sendable, Hashable {
    case active
    case ended(Outcome)
  }

  /// Returns what is known of a coordinator's end.
  ///
  /// - Parameter path: the path of the coordinator.
  /// - Returns: nil if nothing is known of the coordinator.
  /// - Throws: Held if it may be among what cannot be read of a held tree.
  func outcome(of path: CoordinatorPath) throws(DBusError) -> KnownOutcome? {
    let name = String(path.root)
    if let root = hosted(name) {
      if root.coordinator(at: path) != nil { return .active }
      if let outcome = root.outcome(of: path) { return .ended(outcome) }
      guard root.held.isEmpty else { throw .held(root.held) }
      return nil
    }
    guard let ended = ended[name], ended.path == path else { return nil }
    return .ended(ended.outcome)
  }
}
