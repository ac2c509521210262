/// The bus's answer to a request for a name.
///
/// Source: D-Bus Specification, "org.freedesktop.DBus.RequestName".
public enum NameRequestReply: Sendable, Hashable {
  /// The connection now owns the name.
  case primaryOwner
  /// Another connection owns the name and keeps it.
  case exists
  /// The connection already owned the name.
  case alreadyOwner
}

extension Connection {
  /// Returns the id of the bus, which is different each time a bus is started.
  ///
  /// Source: D-Bus Specification, "org.freedesktop.DBus.GetId".
  ///
  /// - Returns: the id.
  /// - Throws: the same errors as ``call(_:deadline:)``.
  public nonisolated func busID() async throws -> String {
    let reply = try await call(.bus("GetId", []))
    guard let id = reply.first?.string else { throw ConnectionError.unreadableReply("GetId did not return a string") }
    return id
  }

  /// Requests a well-known name from the bus without queueing for it. Export everything that clients should find under
  /// the name first.
  ///
  /// Source: D-Bus Specification, "org.freedesktop.DBus.RequestName".
  ///
  /// - Parameters:
  ///   - name: the well-known name.
  ///   - replace: whether to take the name from an owner that allows it.
  ///   - allowReplacement: whether others may take the name, which ``events`` reports as
  ///     ``ConnectionEvent/nameLost(_:)``.
  /// - Returns: the bus's answer.
  /// - Throws: the same errors as ``call(_:deadline:)``.
  public func requestName(
    _ name: String, replace: Bool = false, allowReplacement: Bool = false
  ) async throws -> NameRequestReply {
    let doNotQueue: UInt32 = 4
    let flags: UInt32 = (replace ? 2 : 0) | (allowReplacement ? 1 : 0)
    // Recorded when the bus's answer arrives, not when the caller resumes: the name may be lost again in between.
    let reply = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<NameRequestReply, any Error>) in
      start(.bus("RequestName", [.string(name), .uint32(flags | doNotQueue)])) { connection, result in
        continuation.resume(with: result.map { connection.noteReply($0, for: name) })
      }
    }
    if allowReplacement, reply != .exists {
      // From now on, this connection stays queued for the name if it loses it. A bus policy that restricts the recipients of
      // messages from the name's owner therefore applies to all messages that this connection sends, up to its end.
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

  /// Releases a name. Calls to the name that are already on their way still arrive.
  ///
  /// Source: D-Bus Specification, "org.freedesktop.DBus.ReleaseName".
  ///
  /// - Parameter name: the name.
  /// - Throws: the same errors as ``call(_:deadline:)``.
  public func releaseName(_ name: String) async throws {
    ownedNames.remove(name)
    _ = try await callBus("ReleaseName", [.string(name)])
  }
}
