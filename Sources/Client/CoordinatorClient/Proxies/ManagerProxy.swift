import CoordinatorBus
import CoordinatorKit
import DBus

/// Starts flows and knows how they ended.
public struct ManagerProxy: Sendable {
  let daemon: DaemonClient

  /// Starts a flow, and answers once its first screens are presented.
  ///
  /// - Parameters:
  ///   - flow: The flow's name.
  ///   - input: What it is given.
  ///   - options: `token`, `lifetime` and `timeout` count.
  /// - Returns: The paths of the root coordinator and of the tree's router.
  /// - Throws: `ClientError`.
  public func startFlow(
    _ flow: String, input: [String: JSONValue] = [:], options: Options = Options()
  ) async throws(ClientError) -> (coordinator: ObjectPath, router: ObjectPath) {
    let reply = try await call("StartFlow", try arguments(flow, input, options), deadline: DaemonClient.handlerDeadline)
    return (try reply.path(0), try reply.path(1))
  }

  /// Starts a flow and waits until it ends, however long that takes.
  ///
  /// - Parameters:
  ///   - flow: The flow's name.
  ///   - input: What it is given.
  ///   - options: As of ``startFlow(_:input:options:)``; without a lifetime the flow is dismissed when this connection closes.
  /// - Returns: How it ended; a flow that fails is no error.
  /// - Throws: `ClientError`.
  public func runFlow(
    _ flow: String, input: [String: JSONValue] = [:], options: Options = Options()
  ) async throws(ClientError) -> FlowEnd {
    let reply = try await call("RunFlow", try arguments(flow, input, options), deadline: nil)
    guard let end = FlowEnd(outcome: try reply.text(0), result: try reply.object(1)) else { throw reply.malformed }
    return end
  }

  /// How a coordinator ended.
  ///
  /// - Parameter coordinator: The path of any coordinator.
  /// - Returns: nil while it is active.
  /// - Throws: `ClientError`; ``ClientError/isUnknownObject`` for a path that the daemon does not know (any more).
  public func outcome(of coordinator: ObjectPath) async throws(ClientError) -> FlowEnd? {
    let reply = try await call("GetOutcome", [.objectPath(coordinator)])
    let outcome = try reply.text(0)
    if outcome == "active" { return nil }
    guard let end = FlowEnd(outcome: outcome, result: try reply.object(1)) else { throw reply.malformed }
    return end
  }

  /// The root coordinators that are active.
  ///
  /// - Returns: In the order of the daemon's answer.
  /// - Throws: `ClientError`.
  public func listActive() async throws(ClientError) -> [ActiveFlow] {
    let reply = try await call("ListActive")
    var result: [ActiveFlow] = []
    for element in try reply.elements(0) {
      guard let members = element.members, members.count == 4, let coordinator = members[0].objectPath,
        let flow = members[1].string, let token = members[2].string, let startedAt = members[3].uint64
      else { throw reply.malformed }
      result.append(
        ActiveFlow(coordinator: coordinator, flow: flow, token: token.isEmpty ? nil : token, startedAt: startedAt))
    }
    return result
  }

  /// Tries to take up the trees that are held.
  ///
  /// - Returns: How many were taken up, and how many are held still.
  /// - Throws: `ClientError`.
  public func retryHeld() async throws(ClientError) -> (takenUp: UInt32, held: UInt32) {
    let reply = try await call("RetryHeld", deadline: nil)
    return (UInt32(clamping: try reply.number(0)), UInt32(clamping: try reply.number(1)))
  }

  /// The flows that can be started.
  ///
  /// - Returns: In the order of the daemon's answer.
  /// - Throws: `ClientError`.
  public func listFlows() async throws(ClientError) -> [FlowListing] {
    let reply = try await call("ListFlows")
    var result: [FlowListing] = []
    for vardict in try reply.vardicts(0) {
      guard let name = vardict["name"]?.string else { throw reply.malformed }
      let input = vardict["input"].flatMap { try? JSONValue(value: $0, depthLimit: .max) }
      result.append(
        FlowListing(
          name: name, title: vardict["title"]?.string ?? "", summary: vardict["summary"]?.string ?? "",
          input: input.flatMap { try? Schema(json: $0) }, isRehearsable: vardict["rehearsable"]?.bool ?? false))
    }
    return result
  }

  private func arguments(
    _ flow: String, _ input: [String: JSONValue], _ options: Options
  ) throws(ClientError) -> [Value] {
    [.string(flow), try daemon.value(of: input), options.value]
  }

  private func call(
    _ member: String, _ arguments: [Value] = [], deadline: Duration? = .seconds(25)
  ) async throws(ClientError) -> Reply {
    try await daemon.call(Contract.rootPath, Contract.managerInterface, member, arguments, deadline: deadline)
  }
}

extension DaemonClient {
  /// An input or a payload as it is sent.
  func value(of object: [String: JSONValue]) throws(ClientError) -> Value {
    do {
      return try .object(object)
    } catch {
      throw .failed(error.dbusError)
    }
  }
}
