import CoordinatorBus
import DBus
import Platform

/// Registers the flows of a service with the daemon. May be used from any thread.
final class FlowRegistrar: Sendable {
  /// The maximum delay between two attempts.
  private static let longestDelay = Duration.seconds(60)

  private let service: any FlowService
  private let name: String?
  private let daemon: DaemonOwner
  private let connection: Connection
  private let complain: @Sendable (String) -> Void
  /// The flows that the daemon has refused, with their descriptions at that time.
  private let refused = Lock<[String: [String: Value]]>([:])

  /// Creates a registrar.
  ///
  /// - Parameters:
  ///   - service: the service.
  ///   - name: the well-known name under which it serves; nil for none.
  ///   - daemon: provides the unique name of the daemon.
  ///   - connection: the connection that serves.
  ///   - complain: receives problems, one line at a time.
  init(
    _ service: any FlowService, as name: String?, with daemon: DaemonOwner, on connection: Connection,
    complain: @escaping @Sendable (String) -> Void
  ) {
    (self.service, self.name, self.daemon, self.connection, self.complain) = (service, name, daemon, connection, complain)
  }

  /// Registers the flows, and retries while the daemon runs and refuses them.
  ///
  /// - Parameter owner: the unique name of the daemon.
  func register(with owner: String) async {
    var delay = Duration.seconds(1)
    var taken: Set<String> = []
    while daemon.owner == owner, !Task.isCancelled {
      do {
        let flows = try service.registration.filter { !taken.contains($0.flowName) && !isRefused($0) }
        do {
          return try await register(flows, with: owner)
        } catch let error as DBusError where service.servesWhatItCan {
          if leave(error.takenFlows, &taken) { continue }
          if error.isStandard("InvalidArgs"), try await findRefused(flows, with: owner) { continue }
          throw error
        }
      } catch {
        complain("the flows cannot be registered: \(error)")
      }
      try? await Task.sleep(for: delay)
      delay = min(delay * 2, Self.longestDelay)
    }
  }

  /// Registers the flows. A daemon without the feature "titles" gets them without translations.
  private func register(_ flows: [[String: Value]], with owner: String) async throws {
    do {
      try await send(flows, to: owner)
    } catch let error as DBusError where error.isStandard("InvalidArgs") {
      let plain = flows.map { flow in flow.filter { !Self.translationKeys.contains($0.key) } }
      guard plain != flows else { throw error }
      try await send(plain, to: owner)
    }
  }

  private static let translationKeys = ["titles", "summaries"]

  private func send(_ flows: [[String: Value]], to owner: String) async throws {
    var options: [String: Value] = ["digest": .string(service.digest)]
    options["name"] = name.map { .string($0) }
    _ = try await connection.call(
      .manager("RegisterFlows", [.objectPath(Provider.path), .vardicts(flows), .vardict(options)], to: owner))
  }

  private func isRefused(_ flow: [String: Value]) -> Bool { refused.withLock { $0[flow.flowName] == flow } }

  /// Omits flows that other programs serve; returns whether there was a new one.
  private func leave(_ flows: [String: String], _ taken: inout Set<String>) -> Bool {
    let new = flows.sorted { $0.key < $1.key }.filter { taken.insert($0.key).inserted }
    for (flow, server) in new {
      complain("the flow \(flow) is left to \(server), which serves it already; another name would help")
    }
    return !new.isEmpty
  }

  /// Finds the flows that the daemon refuses, by offering each alone; returns whether there was one.
  private func findRefused(_ flows: [[String: Value]], with owner: String) async throws -> Bool {
    var hasFound = false
    for flow in flows {
      do {
        try await register([flow], with: owner)
      } catch let error as DBusError where error.isStandard("InvalidArgs") {
        hasFound = true
        refused.withLock { $0[flow.flowName] = flow }
        complain("the flow \(flow.flowName) is left out: \(error.message)")
      } catch let error as DBusError where !error.takenFlows.isEmpty {
        continue
      }
    }
    return hasFound
  }
}

extension [String: Value] {
  fileprivate var flowName: String { self["name"]?.string ?? "" }
}

extension DBusError {
  /// The flows that other programs serve, each with the name of the program; empty if this is a different error.
  fileprivate var takenFlows: [String: String] {
    if case .flowTaken(_, let owners)? = ContractError(self) { owners } else { [:] }
  }
}

/// Tracks which connection is the daemon. May be used from any thread.
final class DaemonOwner: Sendable {
  private let state = Lock<String?>(nil)
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// The unique name of the daemon, as far as known; nil if there is none.
  var owner: String? { state.withLock { $0 } }

  /// Returns whether a connection is the daemon, and asks the bus if that is unknown.
  func isOwned(by name: String) async -> Bool {
    if owner == name { return true }
    return await asked() == name
  }

  /// Returns the present and the future owners of the name, the present one first; nil stands for no owner.
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
