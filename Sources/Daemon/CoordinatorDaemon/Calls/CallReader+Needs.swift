import CoordinatorBus
import CoordinatorKit
import DBus

/// Reads what a call needs of the trees that are being restored after a restart.
extension CallReader {
  /// Returns what must have been restored before an object can take a call. `StartFlow` and `RunFlow` are decided
  /// when their options are read; see ``StartCall/need``.
  ///
  /// - Parameters:
  ///   - member: the method.
  ///   - path: the path of the called object.
  ///   - arguments: the arguments.
  /// - Returns: the need.
  func need(of member: String, at path: ObjectPath, _ arguments: [Value]) -> RestorationNeed {
    if path == Contract.flowsPath { return .everything }
    guard path == Contract.rootPath else { return need(of: CoordinatorPath(objectPath: path)) }
    switch member {
    case "ListFlows", "ListFlowsAfter", "StartFlow", "RunFlow": return .nothing
    // A call that cannot be read is refused, whatever has been restored.
    case "GetOutcome", "GetEnding": return need(of: (try? outcomeRequest(arguments))?.coordinator)
    default: return .everything
    }
  }

  private func need(of path: CoordinatorPath?) -> RestorationNeed {
    path.map { .root(String($0.root)) } ?? .nothing
  }
}
