/// The bus's answer to a request for a name.
public enum NameRequestReply: Sendable, Hashable {
  /// The connection now owns the name.
  case primaryOwner
  /// Another connection owns the name and keeps it.
  case exists
  /// The connection has owned the name already.
  case alreadyOwner
}

extension Connection {
  /// The id of the bus: another one for each time that a bus is started.
  ///
  /// - Throws: as ``call(_:deadline:)``.
  public nonisolated func busID() async throws -> String {
    let reply = try await call(.bus("GetId", []))
    guard let id = reply.first?.string else { throw ConnectionError.unreadableReply("GetId answered with no text") }
    return id
  }

  /// Asks the bus for a well-known name, without queueing for it. Everything that is to be seen under the name has to be
  /// exported before.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - replace: Whether to take it from an owner that allows that.
  ///   - allowReplacement: Whether others may take it; ``events`` then tells ``ConnectionEvent/nameLost(_:)``.
  /// - Returns: Whether the connection has it now.
  /// - Throws: As ``call(_:deadline:)`` does.
  public func requestName(
    _ name: String, replace: Bool = false, allowReplacement: Bool = false
  ) async throws -> NameRequestReply {
    let doNotQueue: UInt32 = 4
    let flags: UInt32 = (replace ? 2 : 0) | (allowReplacement ? 1 : 0)
    // Owned from the moment the bus says so, not when the caller hears of it: it may be lost again in between.
    let reply = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<NameRequestReply, any Error>) in
      start(.bus("RequestName", [.string(name), .uint32(flags | doNotQueue)])) { connection, result in
        continuation.resume(with: result.map { connection.noteReply($0, for: name) })
      }
    }
    if allowReplacement, reply != .exists {
      // Who loses its name has a place in the queue for it from now on, and so the policy of a bus that keeps others from receiving what
      // the name's owner sends still holds for what it sends to the end.
      try send(.bus("RequestName", [.string(name), .uint32(flags)]))
    }
    return reply
  }

  private func noteReply(_ reply: [Value], for name: String) -> NameRequestReply {
    switch reply.first?.integer {
    case 1:
      ownedNames.insert(name)
      return .primaryOwner
    case 4:
      ownedNames.insert(name)
      return .alreadyOwner
    default: return .exists
    }
  }

  /// Gives a name back. Calls that were sent to it and are on their way still arrive.
  ///
  /// - Throws: As ``call(_:deadline:)`` does.
  public func releaseName(_ name: String) async throws {
    ownedNames.remove(name)
    _ = try await callBus("ReleaseName", [.string(name)])
  }
}
