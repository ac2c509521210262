import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Platform

/// Finds flow trees and starts flows by the names that users give.
extension ToolSession {
  /// Finds a flow tree, or starts a flow.
  ///
  /// - Parameters:
  ///   - text: flow tree or flow; nil for the only active tree.
  ///   - assignments: input of a flow that is started.
  ///   - token: token of a flow that is started.
  /// - Returns: the path of the root coordinator.
  /// - Throws: ``ToolFailure``.
  package func open(
    _ text: String?, _ assignments: [Assignment], token: String?
  ) async throws(ToolFailure) -> ObjectPath {
    try await opened(text, assignments, token: token).tree
  }

  /// Finds a flow tree or starts a flow, like ``open(_:_:token:)``.
  ///
  /// - Returns: the path of the root coordinator, and the input if the flow was started by this call.
  /// - Throws: ``ToolFailure``.
  package func opened(
    _ text: String?, _ assignments: [Assignment], token: String?
  ) async throws(ToolFailure) -> (tree: ObjectPath, input: [String: JSONValue]?) {
    let (active, flows) = try await doing { () async throws(ClientError) in
      (try await daemon.manager.listActive(), try await daemon.manager.listFlows())
    }
    switch try OpenTarget(text, active: active.map(\.coordinator), flows: flows.map(\.name)) {
    case .attach(let root):
      guard assignments.isEmpty, token == nil else {
        throw ToolFailure(["'\(TreeSelector.name(root))' is already running: it accepts neither input nor a token"], exit: .usage)
      }
      return (root, nil)
    case .start(let flow):
      let input = try object(assignments, flows.first { $0.name == flow }?.input)
      let tree = try await doing { () async throws(ClientError) in
        try await daemon.manager.startFlow(flow, input: input, options: Options(token: token)).coordinator
      }
      return (tree, input)
    }
  }

  /// Returns how the flow with a token has ended; nil if it is running, or if the daemon knows no such flow.
  package func end(of token: String?) async -> FlowEnd? {
    guard let token, let path = try? Contract.flowPath(root: token) else { return nil }
    return (try? await daemon.manager.outcome(of: path)) ?? nil
  }

  /// Builds the input of a flow from assignments, typed by the schema that the daemon lists.
  package func input(for flow: String, _ assignments: [Assignment]) async throws(ToolFailure) -> [String: JSONValue] {
    guard !assignments.isEmpty else { return [:] }
    let flows = try await doing { () async throws(ClientError) in try await daemon.manager.listFlows() }
    return try object(assignments, flows.first { $0.name == flow }?.input)
  }

  /// Performs a call that starts a flow. If the daemon knows no flow of that name, the failure lists the known ones.
  package func explaining<Result: Sendable>(
    _ flow: String, _ body: () async throws(ClientError) -> Result
  ) async throws(ToolFailure) -> Result {
    do {
      return try await body()
    } catch {
      guard case .refused(.unknownFlow) = error else { throw ToolFailure(error) }
      throw ToolFailure(error, advice: Self.advice(flow, among: (try? await daemon.manager.listFlows()) ?? []))
    }
  }

  /// Returns suggestions for the name of a flow that does not exist.
  package static func advice(_ flow: String, among flows: [FlowListing]) -> [String] {
    let names = flows.map(\.name).sorted()
    return Suggestion.best(for: flow, among: names).map { ["  did you mean '\($0.printable)'?"] }
      ?? ["  flows: \(names.joined(separator: ", ").printable)"]
  }
}
