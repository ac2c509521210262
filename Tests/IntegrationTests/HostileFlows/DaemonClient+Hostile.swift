import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus

/// Calls that may be answered with any error.
extension DaemonClient {
  /// Starts a flow.
  ///
  /// - Returns: the last part of the error's name; nil if the flow has started.
  func tryStart(_ flow: String, _ input: [String: Value], token: String) async throws -> String? {
    try await refusal(
      Contract.rootPath, Contract.managerInterface, "StartFlow",
      [.string(flow), .vardict(input), .vardict(["token": .string(token)])])
  }

  /// Starts a child.
  ///
  /// - Returns: the last part of the error's name; nil if the child has started.
  func tryStartChild(of parent: ObjectPath, _ flow: String, _ input: [String: Value]) async throws -> String? {
    try await refusal(
      parent, Contract.coordinatorInterface, "StartChild", [.string(flow), .vardict(input), .vardict([:])])
  }

  /// Delegates an event from a screen.
  ///
  /// - Returns: the last part of the error's name; nil if the event was accepted.
  func trySend(_ event: String, to path: ObjectPath, screen: UInt64) async throws -> String? {
    try await refusal(
      path, Contract.coordinatorInterface, "Delegate", [.uint64(screen), .string(event), .vardict([:]), .vardict([:])])
  }

  /// Goes back from a screen.
  ///
  /// - Returns: the last part of the error's name; nil if going back succeeded.
  func tryBack(from screen: UInt64, of flow: ObjectPath) async throws -> String? {
    try await refusal(try Contract.routerPath(of: flow), Contract.routerInterface, "Back", [.uint64(screen), .vardict([:])])
  }

  /// Dismisses a coordinator.
  ///
  /// - Returns: the last part of the error's name; nil if the coordinator was dismissed.
  func tryDismiss(_ path: ObjectPath) async throws -> String? {
    try await refusal(path, Contract.coordinatorInterface, "Dismiss", [.boolean(true), .vardict([:])])
  }

  /// Waits until a coordinator has ended.
  ///
  /// - Returns: the code of the failure; the name of the outcome if the coordinator did not fail.
  func end(of path: ObjectPath, told signals: SignalSequence) async throws -> String {
    var signals = signals.makeAsyncIterator()
    while true {
      if let end = try await manager.outcome(of: path) {
        guard case .failed(let code, _, _) = end else { return end.name }
        return code
      }
      var isOver = false
      while !isOver {
        guard let delivery = await signals.next() else { return "disconnected" }
        guard case .signal(let signal) = delivery else { continue }
        isOver = ["FlowEnded", "ChildEnded"].contains(signal.member) && signal.body.first == .objectPath(path)
      }
    }
  }
}
