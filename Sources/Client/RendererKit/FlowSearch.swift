import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Platform

/// Finds a flow that is not listed yet, without starting it.
extension ToolSession {
  /// How long the program that serves scripts may take to start, and to answer.
  private static let patience = Duration.seconds(10)

  /// Returns the flows that can be started. If a flow is missing, has the bus start the program that serves scripts, and waits until
  /// the daemon knows the flows of that program.
  ///
  /// - Parameter name: the name of the flow.
  /// - Returns: the flows, and why the file of the missing flow is none; nil if nothing is known of it.
  /// - Throws: ``ToolFailure``.
  package func flows(
    including name: String
  ) async throws(ToolFailure) -> (flows: [FlowListing], reason: String?) {
    let end = ContinuousClock.now + Self.patience
    var flows = try await doing { () async throws(ClientError) in try await daemon.manager.listFlows() }
    func isListed() -> Bool { flows.contains { $0.name.bytes.equals(name) } }
    guard !isListed() else { return (flows, nil) }
    let reply = try? await daemon.connection.call(
      MethodCall(
        destination: Contract.scriptsName, path: "/org/coordinatord/Scripts1", interface: "org.coordinatord.Scripts1",
        member: "ExplainFlow", arguments: [.string(name)]), deadline: Self.patience)
    guard let reason = reply?.first?.string else { return (flows, nil) }
    guard reason.isEmpty else { return (flows, reason) }
    while !isListed(), ContinuousClock.now < end {
      let isTold = try await doing { () async throws(ClientError) in
        let providers = try await daemon.manager.listProviders()
        return providers.contains { $0.name.bytes.equals(Contract.scriptsName) && !$0.flows.isEmpty }
      }
      flows = try await doing { () async throws(ClientError) in try await daemon.manager.listFlows() }
      if isTold { break }
      // The program registers its flows as soon as it has its name.
      guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { break }
    }
    return (flows, nil)
  }
}

extension ToolFailure {
  /// The failure for the name of a flow that does not exist.
  ///
  /// - Parameters:
  ///   - flow: the name.
  ///   - reason: why the file of that name is no flow; nil if nothing is known of it.
  ///   - flows: the flows that can be started.
  /// - Returns: the failure, with a similar name or the names of all flows.
  package static func noFlow(_ flow: String, _ reason: String?, among flows: [FlowListing]) -> ToolFailure {
    let line = "there is no flow '\(flow.printable)'\(reason.map { ": \($0.printable)" } ?? "")"
    return ToolFailure([line] + ToolSession.advice(flow, among: flows), cause: .unknown, name: "UnknownFlow")
  }
}
