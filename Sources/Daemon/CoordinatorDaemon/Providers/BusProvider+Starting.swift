import CoordinatorKit
import DBus

/// Determines the owners of the names of providers, and has the bus start providers that do not run.
extension BusProvider {
  /// Returns the program that serves a flow, and starts it if necessary.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow.
  ///   - dead: a connection that has left the bus, although the bus has not reported it yet.
  ///   - end: the time until which to wait.
  /// - Returns: the program, with its owner.
  /// - Throws: `ProviderTrouble` if no program serves the flow and none can be started.
  func serving(
    _ flow: String, except dead: String? = nil, until end: ContinuousClock.Instant
  ) async throws(ProviderTrouble) -> ProvidedFlow {
    guard let served = withTable({ $0.provider(of: flow) }) else {
      throw .gone("nothing serves the flow \(flow) at the moment")
    }
    guard served.owner == nil || served.owner == dead else { return served }
    switch withTable({ $0.owner(of: served.name) }) {
    case .refused(let reason): throw .gone(reason)
    case .nobody, .unknown, .connection: break
    }
    try await start(served, within: min(startTime, max(.zero, ContinuousClock.now.duration(to: end))))
    if let started = withTable({ $0.provider(of: flow) }), let owner = started.owner, owner != dead { return started }
    switch await owner(of: served.name) {
    case .connection(let owner):
      var started = served
      (started.owner, started.registration) = (owner, nil)
      return started
    case .refused(let reason): throw .gone(reason)
    case .nobody, .unknown: throw .gone("\(served.title), which serves the flow \(flow), has left")
    }
  }

  /// Asks the bus to start a provider, and waits until it owns its name.
  private func start(_ served: ProvidedFlow, within time: Duration) async throws(ProviderTrouble) {
    let name = served.name
    guard withTable({ $0.mayStart(name, at: .now) }) else {
      throw .gone("\(served.title) could not be started several times within a minute: \(trouble(of: name))")
    }
    let call = MethodCall.bus("StartServiceByName", [.string(name), .uint32(0)])
    do {
      _ = try await connection.call(call, deadline: time)
      return
    } catch let error as DBusError {
      startFailed(name, "it cannot be started: \(error.message)")
    } catch ConnectionError.timedOut {
      startFailed(name, "it was started, but has not taken its name within \(time)")
    } catch {
      throw .gone("\(served.title) cannot be started: \(error)")
    }
    throw .gone("\(served.title): \(trouble(of: name))")
  }

  private func startFailed(_ name: String, _ reason: String) {
    withTable { $0.startFailed(name, reason, at: .now) }
  }

  private func trouble(of name: String) -> String { withTable { $0.trouble(of: name) } ?? "it is not running" }

  // MARK: Owners

  /// Asks the bus for the owner of a well-known name.
  func owner(of name: String) async -> ProviderTable.Owner {
    guard let owner = try? await connection.call(.bus("GetNameOwner", [.string(name)])).first?.string else { return .nobody }
    return await judge(owner, of: name)
  }

  /// Returns whether a connection may serve under a name. On the system bus, only root and the user of the name's file may.
  func judge(_ owner: String, of name: String) async -> ProviderTable.Owner {
    guard isSystem else { return .connection(owner) }
    let reply = try? await connection.call(.bus("GetConnectionUnixUser", [.string(owner)]))
    guard case .uint32(let user)? = reply?.first else { return .nobody }
    guard withTable({ $0.files.file(of: name) }) != nil else { return .refused("no provider file names \(name)") }
    guard user == 0 || withTable({ $0.files.users(of: name).contains(user) }) else {
      return .refused("\(name) is owned by user \(user), but neither root nor User= of its file")
    }
    return .connection(owner)
  }

  /// Returns the names for which the bus can start a program.
  func activatableNames() async -> Set<String> {
    let reply = try? await connection.call(.bus("ListActivatableNames", []))
    return Set(reply?.first?.elements?.compactMap(\.string) ?? [])
  }
}

extension MethodCall {
  /// Returns a call to the bus itself.
  static func bus(_ member: String, _ arguments: [Value]) -> MethodCall {
    MethodCall(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: member, arguments: arguments)
  }
}

/// Counts the recent failures to start providers.
struct ProviderStarts: Sendable {
  /// The failures of one provider.
  struct Failures: Sendable {
    private static let most = 5
    private static let time = Duration.seconds(60)

    private var times: [ContinuousClock.Instant] = []

    /// Returns whether the provider may be started again.
    mutating func allowsAnother(at now: ContinuousClock.Instant) -> Bool {
      times.removeAll { $0.duration(to: now) >= Self.time }
      return times.count < Self.most
    }

    /// Records a failed start.
    mutating func note(_ now: ContinuousClock.Instant) { times.append(now) }
  }

  private var failures: [String: Failures] = [:]

  /// The failures of a provider, by its name; nil for none.
  subscript(name: String) -> Failures? {
    get { failures[name] }
    set { failures[name] = newValue }
  }

  subscript(name: String, default usual: @autoclosure () -> Failures) -> Failures {
    get { failures[name] ?? usual() }
    set { failures[name] = newValue }
  }

  /// Removes all providers except some.
  mutating func keepOnly(_ names: Set<String>) { failures = failures.filter { names.contains($0.key) } }
}
