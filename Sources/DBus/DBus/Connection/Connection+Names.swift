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
        continuation.resume(with: result.map { connection.ownNames.record($0, for: name) })
      }
    }
    if allowReplacement, reply != .exists {
      // From now on, this connection stays queued for the name if it loses it. A bus policy that restricts the recipients of
      // messages from the name's owner therefore applies to all messages that this connection sends, up to its end.
      try send(.bus("RequestName", [.string(name), .uint32(flags)]))
    }
    return reply
  }

  /// Releases a name. Calls to the name that are already on their way still arrive.
  ///
  /// Source: D-Bus Specification, "org.freedesktop.DBus.ReleaseName".
  ///
  /// - Parameter name: the name.
  /// - Throws: the same errors as ``call(_:deadline:)``.
  public func releaseName(_ name: String) async throws {
    ownNames.remove(name)
    _ = try await callBus("ReleaseName", [.string(name)])
  }
}

/// Hands a service's name over to its successor without losing a call.
extension Connection {
  /// Releases a name and stops sending broadcast signals: without the name, the bus no longer withholds them from
  /// connections that may not receive what the name's owner sends.
  ///
  /// When this returns, every call sent to the name before its release has arrived. The bus delivers later calls to the
  /// next owner.
  ///
  /// - Parameter name: the name to release.
  /// - Throws: the same errors as ``call(_:deadline:)``. The connection stops sending broadcast signals even then.
  public func retire(from name: String) async throws {
    flushPropertyChanges()
    ownNames.remove(name)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      start(.bus("ReleaseName", [.string(name)])) { _, result in continuation.resume(with: result.map { _ in }) }
      ownNames.retire()
    }
  }

  /// Requests the name again after ``retire(from:)``, and resumes sending signals.
  ///
  /// - Parameter name: the name, which others may take over.
  /// - Returns: whether the connection owns the name.
  /// - Throws: the same errors as ``call(_:deadline:)``.
  public func resume(as name: String) async throws -> Bool {
    guard try await requestName(name, allowReplacement: true) != .exists else { return false }
    ownNames.resume()
    return true
  }
}

/// The well-known names that a connection owns, and whether it has retired from one. Used only on the connection's executor.
final class OwnNames {
  private var names: Set<String> = []
  /// Whether broadcast signals are dropped.
  private(set) var isRetired = false

  /// Records the bus's answer to a request for a name.
  func record(_ reply: [Value], for name: String) -> NameRequestReply {
    switch reply.first?.integer {
    case 1:
      names.insert(name)
      return .primaryOwner
    case 4:
      names.insert(name)
      return .alreadyOwner
    default: return .exists
    }
  }

  /// Records that the connection no longer owns a name. Returns whether it did.
  @discardableResult
  func remove(_ name: String) -> Bool { names.remove(name) != nil }

  /// Drops broadcast signals from now on.
  func retire() { isRetired = true }

  /// Sends broadcast signals again.
  func resume() { isRetired = false }

  /// Forgets all names, because the connection is lost.
  func clear() { names = [] }
}
