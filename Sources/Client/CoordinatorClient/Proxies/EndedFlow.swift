import DBus

/// A root coordinator that has ended, and whose outcome the daemon remembers.
public struct EndedFlow: Sendable, Hashable {
  /// The path that the root coordinator had.
  public var coordinator: ObjectPath
  /// The name of the flow.
  public var flow: String
  /// The token that the caller assigned, or nil if there is none.
  public var token: String?
  /// The name of the outcome in the contract: "finished", "cancelled" or "failed".
  public var outcome: String

  /// Creates an entry from the values that the daemon lists.
  public init(coordinator: ObjectPath, flow: String, token: String?, outcome: String) {
    self.coordinator = coordinator
    self.flow = flow
    self.token = token
    self.outcome = outcome
  }
}

extension ManagerProxy {
  /// Lists the root coordinators that have ended, oldest first.
  ///
  /// - Returns: the root coordinators; empty if the daemon is older and does not list them.
  /// - Throws: ``ClientError``.
  public func listEnded() async throws(ClientError) -> [EndedFlow] {
    let reply: Reply
    do {
      reply = try await call("ListEnded")
    } catch .failed(let error) where error.isStandard("UnknownMethod") {
      return []
    }
    var result: [EndedFlow] = []
    for element in try reply.elements(0) {
      guard let members = element.members, members.count == 4, let coordinator = members[0].objectPath,
        let flow = members[1].string, let token = members[2].string, let outcome = members[3].string
      else { throw reply.malformed }
      result.append(EndedFlow(coordinator: coordinator, flow: flow, token: token.isEmpty ? nil : token, outcome: outcome))
    }
    return result
  }
}
