import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus

/// A flow tree that a test has started, as its two proxies.
struct Flow: Sendable {
  let daemon: DaemonClient
  let path: ObjectPath
  let router: RouterProxy
  let coordinator: CoordinatorProxy

  init(_ daemon: DaemonClient, _ path: ObjectPath) throws {
    self.daemon = daemon
    self.path = path
    router = daemon.router(try Contract.routerPath(of: path))
    coordinator = daemon.coordinator(path)
  }

  static func start(_ name: String, _ daemon: DaemonClient, options: Options = Options()) async throws -> Flow {
    try Flow(daemon, await daemon.manager.startFlow(name, options: options).coordinator)
  }

  /// Returns the same tree as another connection sees it.
  func seen(by daemon: DaemonClient) throws -> Flow { try Flow(daemon, path) }

  /// Returns the ids and names of the screens, from the bottom up.
  func screens() async throws -> [String] { try await router.window().screens.map { "\($0.id) \($0.screen.name)" } }

  /// Returns the id of the screen on top.
  func top() async throws -> UInt64 { try await router.window().screens.last?.id ?? 0 }

  /// Sends an event from the screen on top to its coordinator.
  @discardableResult
  func send(_ event: String, _ payload: [String: JSONValue] = [:]) async throws -> UInt64 {
    guard let top = try await router.window().screens.last else { return 0 }
    return try await daemon.coordinator(top.coordinator).delegate(screen: top.id, event: event, payload: payload)
  }
}
