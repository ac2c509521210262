public import CoordinatorKit
import CoordinatorBus
public import DBus

/// Serves flows to coordinatord from this process.
///
/// The daemon keeps the flows' trees, their states, screens and history, and asks this process what comes of each event.
/// The process keeps nothing: it may be ended, replaced and started again at any time.
///
/// ```swift
/// var catalogue = FlowCatalogue()
/// try catalogue.add { Coffee() }
/// try await Provider(of: catalogue).serve(on: .open(.session))
/// ```
///
/// A coordinator behaves as in the daemon's own process, with these exceptions:
///
/// - Its handlers get stand-ins for secrets, which can be kept, passed on and compared, but not read. Work gets them.
/// - ``CoordinatorKit/Coordinator/review()`` returns one row, in whose place the daemon shows the answers.
/// - The limits of a tree are checked after the handler, and lead to `ProviderFailed`.
public struct Provider: Sendable {
  /// The path of the object that the daemon asks.
  static let path: ObjectPath = "/org/coordinatord/FlowProvider1"

  private let service: any FlowService
  private let name: String?
  private let replaces: Bool
  private let idleTime: Duration?
  private let isOutdated: @Sendable () -> Bool
  private let complain: @Sendable (String) -> Void

  /// Creates a provider that does not serve yet.
  ///
  /// - Parameters:
  ///   - catalogue: the flows to serve.
  ///   - name: the well-known bus name to serve them under; nil for none. With a name, another process that takes it over
  ///     goes on with the flows.
  ///   - replaces: whether to take the name from a process that has it.
  ///   - idleTime: how long the daemon may ask nothing before ``serve(on:)`` returns; nil for any time.
  ///   - complain: receives what goes wrong, one line at a time.
  public init(
    of catalogue: FlowCatalogue, name: String? = nil, replaces: Bool = false, idleTime: Duration? = nil,
    complain: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.init(of: FlowServer(catalogue), name: name, replaces: replaces, idleTime: idleTime, complain: complain)
  }

  /// Creates a provider of a service that does not serve yet.
  ///
  /// Whether another process should go on with the flows, `isOutdated` is asked when there is a new daemon. If so,
  /// ``serve(on:)`` returns once no work is performed, or only such that is movable, and nothing was asked for a second.
  package init(
    of service: any FlowService, name: String? = nil, replaces: Bool = false, idleTime: Duration? = nil,
    isOutdated: @escaping @Sendable () -> Bool = { false }, complain: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.service = service
    self.name = name
    self.replaces = replaces
    self.idleTime = idleTime
    self.isOutdated = isOutdated
    self.complain = complain
  }

  /// Serves the flows until the task is cancelled, the connection or the name is lost, or nothing was asked for the idle
  /// time. Waits for the daemon if it is not running; never starts it.
  ///
  /// - Parameter connection: the connection to serve on. It must not serve another provider.
  /// - Throws: ``ProviderError``; `PathInUse` if the connection serves a provider already; otherwise what calls of the bus
  ///   throw.
  public func serve(on connection: Connection) async throws {
    let daemon = DaemonOwner(connection)
    let activity = Activity()
    let work = PerformedWork(service, connection, activity, complain: complain)
    let registrar = FlowRegistrar(service, as: name, with: daemon, on: connection, complain: complain)
    _ = try service.registration
    defer { work.cancelAll() }
    try await connection.export(
      ProviderObject(service, daemon: daemon, work: work, activity: activity, loop: connection.loop), at: Self.path)
    let events = connection.events
    if let name, try await connection.requestName(name, replace: replaces, allowReplacement: true) == .exists {
      throw ProviderError.nameTaken(name)
    }
    try await withThrowingTaskGroup { group in
      group.addTask {
        for await owner in try await daemon.owners() {
          guard let owner else { continue }
          await registrar.register(with: owner)
          work.tellAgain()
        }
      }
      group.addTask {
        for await _ in service.changes {
          if let owner = daemon.owner { await registrar.register(with: owner) }
        }
        // A service that never changes must not end the serving.
        try await Task.sleep(for: .seconds(1 << 40))
      }
      group.addTask {
        for await event in events {
          switch event {
          case .nameLost(let lost) where lost == name: return
          case .disconnected: throw ProviderError.busLost
          default: break
          }
        }
      }
      group.addTask {
        for await owner in try await daemon.owners() where owner != nil && isOutdated() {
          // A new process would perform again what this one has not ended.
          try await activity.waitUntilIdle(for: .seconds(1), isMovableEnough: true)
          return
        }
      }
      if let idleTime { group.addTask { try await activity.waitUntilIdle(for: idleTime) } }
      defer { group.cancelAll() }
      do { try await group.next() } catch is CancellationError {}
    }
  }
}

/// Why a provider cannot serve.
public enum ProviderError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another process has the bus name.
  case nameTaken(String)
  /// The connection to the bus was lost.
  case busLost

  /// One line for people.
  public var description: String {
    switch self {
    case .nameTaken(let name): "the name \(name) is taken: another process serves these flows, which --replace replaces"
    case .busLost: "the connection to the bus was lost"
    }
  }
}
