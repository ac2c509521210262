import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// Waits until a flow tree with a name has been started, or has already ended.
struct TreeStart: Sendable {
  private let session: ToolSession

  init(_ session: ToolSession) { self.session = session }

  /// Waits for the start. Also waits for a daemon that is not running yet, without starting it.
  ///
  /// - Parameters:
  ///   - name: name of the tree's root, which may be its future token.
  ///   - end: deadline; nil for none.
  /// - Returns: the path of the root coordinator.
  /// - Throws: ``ToolFailure``, with a separate exit code if the deadline has passed.
  func run(_ name: String, deadline end: ContinuousClock.Instant?) async throws(ToolFailure) -> ObjectPath {
    guard let path = try? Contract.flowPath(root: name) else {
      throw ToolFailure(["'\(name.printable)' cannot be the name of a flow tree"], exit: .usage)
    }
    let found = try await session.doing { () async throws(ClientError) in try await find(path, end) }
    guard found else { throw ToolFailure(["timed out before '\(name.printable)' was started"], cause: .timedOut) }
    return path
  }

  private func find(_ path: ObjectPath, _ end: ContinuousClock.Instant?) async throws(ClientError) -> Bool {
    let (news, continuation) = AsyncStream.makeStream(of: Bool.self)
    var tasks = [
      Task {
        guard let end, (try? await Task.sleep(until: end, clock: .continuous)) != nil else { return }
        continuation.yield(false)
      }
    ]
    defer { for task in tasks { task.cancel() } }
    for rule in [
      MatchRule(path: Contract.rootPath, interface: Contract.managerInterface, member: "FlowStarted"),
      MatchRule(
        sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
        arguments: [0: Contract.busName]),
    ] {
      let signals: SignalSequence
      do {
        signals = try await session.daemon.connection.signals(matching: rule)
      } catch {
        throw ClientError(error)
      }
      tasks.append(
        Task {
          for await _ in signals { continuation.yield(true) }
          continuation.finish()
        })
    }
    if try await isKnown(path) { return true }
    for await mayBeThere in news {
      guard mayBeThere else { return false }
      if try await isKnown(path) { return true }
    }
    throw .connection(.disconnected)
  }

  /// Returns whether the daemon knows a root coordinator, without starting a daemon.
  private func isKnown(_ path: ObjectPath) async throws(ClientError) -> Bool {
    do {
      guard try await session.daemon.process() != nil else { return false }
      _ = try await session.daemon.manager.outcome(of: path)
      return true
    } catch {
      guard error.isUnknownObject || error.leavesUnanswered else { throw error }
      return false
    }
  }
}
