import CoordinatorKit
import DBus

/// Reads the registry for the manager's methods.
extension RootRegistry {
  /// The approximate size of the rows of `ListActive`, in bytes.
  var activeRowsSize: Int { activeCount * 100 }

  /// Returns the rows of `ListEnded`, oldest first, except those of some flows.
  func endedRows(hiding hidden: Set<String>) -> Value {
    let rows = ended.newest(1000).filter { !hidden.contains($0.flow) }.map { root in
      Value.structure([
        .objectPath(root.path.objectPath), .string(root.flow), .string(root.hasToken ? String(root.path.root) : ""),
        .string(root.outcome.outcome.name),
      ])
    }
    return .array(of: .structure([.objectPath, .string, .string, .string]), rows)
  }

  /// The reply of `GetOutcome` about a coordinator.
  enum KnownOutcome: Sendable, Hashable {
    case active
    case ended(ToldOutcome)
  }

  /// Returns the known outcome of a coordinator.
  ///
  /// - Parameter path: the path of the coordinator.
  /// - Returns: the outcome, or that the coordinator is active; nil if nothing is known about the coordinator.
  /// - Throws: `Held` if the coordinator may be in a part of a held tree that cannot be read.
  func outcome(of path: CoordinatorPath) throws(DBusError) -> KnownOutcome? {
    let name = String(path.root)
    if let root = hosted(name) {
      if root.coordinator(at: path) != nil { return .active }
      if let outcome = root.outcome(of: path) { return .ended(ToldOutcome(outcome: outcome)) }
      guard root.held.isEmpty else { throw .held(root.held) }
      return nil
    }
    guard let ended = ended[name], ended.path == path else { return nil }
    return .ended(ended.outcome)
  }
}
