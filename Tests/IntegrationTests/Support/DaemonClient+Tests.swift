import CoordinatorBus
import CoordinatorClient
import DBus
import TestBus

extension DaemonClient {
  /// Calls any method with any arguments, even in violation of the contract.
  func raw(_ path: ObjectPath, _ interface: String?, _ member: String, _ arguments: [Value] = []) async throws -> [Value] {
    try await connection.call(
      MethodCall(
        destination: Contract.busName, path: path, interface: interface, member: member, arguments: arguments))
  }

  /// Makes a call and returns the last part of the error's name; nil if the call succeeds.
  func refusal(_ path: ObjectPath, _ interface: String?, _ member: String, _ arguments: [Value] = []) async throws -> String? {
    do {
      _ = try await raw(path, interface, member, arguments)
      return nil
    } catch let error as DBusError {
      return error.name.split(separator: ".").last.map(String.init)
    }
  }

  /// Returns a property of the manager.
  func managerProperty(_ name: String) async throws -> Value {
    try await proxy(Contract.rootPath, Contract.managerInterface).property(name)
  }

  /// Returns the introspection data of the daemon's object at a path.
  func introspect(_ path: ObjectPath) async throws -> NodeDescription {
    let values = try await raw(path, "org.freedesktop.DBus.Introspectable", "Introspect")
    return try NodeDescription(parsing: values.first?.string ?? "")
  }

  /// Returns the paths that GetManagedObjects lists.
  func managedPaths() async throws -> Set<String> {
    let values = try await raw(Contract.rootPath, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    guard case .dictionary(_, _, let entries)? = values.first else { return [] }
    return Set(entries.compactMap { $0.key.objectPath?.string })
  }

  /// Returns the match rules that the bus keeps for a connection.
  func matchRules(of name: String) async throws -> [String] {
    let values = try await connection.call(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus.Debug.Stats",
      member: "GetAllMatchRules")
    guard case .dictionary(_, _, let entries)? = values.first else { return [] }
    let own = entries.first { $0.key == .string(name) }
    return own?.value.elements?.compactMap(\.string) ?? []
  }

  /// Returns all signals that the daemon sends.
  func signals(of daemon: RunningDaemon) async throws -> SignalSequence {
    try await connection.signals(matching: MatchRule(sender: daemon.uniqueName), bufferSize: 100_000)
  }

  private func proxy(_ path: ObjectPath, _ interface: String) -> Proxy {
    Proxy(connection: connection, destination: Contract.busName, path: path, interface: interface)
  }
}
