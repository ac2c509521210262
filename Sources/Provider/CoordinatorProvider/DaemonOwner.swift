import CoordinatorBus
import DBus
import Platform

/// Knows which connection is the daemon. May be used from any thread.
final class DaemonOwner: Sendable {
  private let state = Lock<String?>(nil)
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// The unique name of the daemon, as far as it is known; nil if there is none.
  var owner: String? { state.withLock { $0 } }

  /// Returns whether a connection is the daemon, and asks the bus if that is not known.
  func isOwned(by name: String) async -> Bool {
    if owner == name { return true }
    return await asked() == name
  }

  /// Returns the owners of the name from now on, the present one first; nil while there is none.
  func owners() async throws -> AsyncStream<String?> {
    let rule = MatchRule(
      type: .signal, sender: Self.bus, interface: Self.bus, member: "NameOwnerChanged", arguments: [0: Contract.busName])
    let signals = try await connection.signals(matching: rule)
    let (stream, continuation) = AsyncStream.makeStream(of: String?.self)
    let task = Task {
      continuation.yield(await asked())
      for await delivery in signals {
        guard case .signal(let signal) = delivery, signal.body.count == 3 else {
          continuation.yield(await asked())
          continue
        }
        continuation.yield(note(signal.body[2].string ?? ""))
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  private func asked() async -> String? {
    let call = MethodCall(
      destination: Self.bus, path: "/org/freedesktop/DBus", interface: Self.bus, member: "GetNameOwner",
      arguments: [.string(Contract.busName)])
    return note((try? await connection.call(call))?.first?.string ?? "")
  }

  private func note(_ name: String) -> String? {
    let owner = name.isEmpty ? nil : name
    state.withLock { $0 = owner }
    return owner
  }

  private static let bus = "org.freedesktop.DBus"
}

extension MethodCall {
  /// A call of the daemon's manager. Never starts the daemon.
  static func manager(_ member: String, _ arguments: [Value], to owner: String = Contract.busName) -> MethodCall {
    MethodCall(
      destination: owner, path: Contract.rootPath, interface: Contract.managerInterface, member: member, arguments: arguments,
      autoStart: false)
  }
}
