import CoordinatorBus
import CoordinatorKit
import CoordinatorProvider
import DBus
import Logging
import TestBus
import Testing

@testable import CoordinatorDaemon

/// A daemon without built-in flows on a dedicated bus, in the test's process, and a provider of flows.
struct ServedDaemon: Sendable {
  let bus: PrivateBus
  let client: Connection
  private let task: Task<Void, any Error>

  /// Starts a daemon with the given flows.
  init(_ catalogue: FlowCatalogue = FlowCatalogue(), on bus: PrivateBus? = nil) async throws {
    let bus = try bus ?? PrivateBus()
    let (ready, continuation) = AsyncStream.makeStream(of: String.self)
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let daemon = Daemon(
      catalogue: catalogue, configuration: DaemonConfiguration(bus: .address(bus.address)), logger: logger
    ) { continuation.yield($0) }
    task = Task { try await daemon.run() }
    var names = ready.makeAsyncIterator()
    _ = await names.next()
    self.bus = bus
    client = try await Connection.open(.address(bus.address))
  }

  /// Serves flows on a separate connection, from when this returns.
  func serve(
    _ catalogue: FlowCatalogue, name: String? = nil, complain: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> RunningProvider {
    let connection = try await Connection.open(.address(bus.address))
    let changes = try await flowsChanged()
    let task = Task { try await Provider(of: catalogue, name: name, complain: complain).serve(on: connection) }
    try await changes.waitForFlows()
    return RunningProvider(task: task, connection: connection)
  }

  /// The changes of what is shown from now on.
  func windowChanges() async throws -> SignalSequence {
    try await client.signals(matching: MatchRule(type: .signal, interface: Contract.routerInterface))
  }

  /// The changes of the daemon's flows from now on.
  func flowsChanged() async throws -> SignalSequence {
    try await client.signals(
      matching: MatchRule(type: .signal, interface: Contract.managerInterface, member: "FlowsChanged"))
  }

  /// Ends the daemon.
  func end() async throws {
    task.cancel()
    try await task.value
  }

  func start(_ flow: String, _ input: [String: Value] = [:]) async throws -> ObjectPath {
    let reply = try await call(
      Contract.rootPath, Contract.managerInterface, "StartFlow", [.string(flow), .vardict(input), .vardict([:])])
    return try #require(reply.first?.objectPath)
  }

  func outcome(_ path: ObjectPath) async throws -> [Value] {
    try await call(Contract.rootPath, Contract.managerInterface, "GetOutcome", [.objectPath(path)])
  }

  @discardableResult
  func delegate(
    _ path: ObjectPath, _ screen: UInt64, _ event: String, _ payload: [String: Value] = [:]
  ) async throws -> [Value] {
    try await call(
      path, Contract.coordinatorInterface, "Delegate",
      [.uint64(screen), .string(event), .vardict(payload), .vardict([:])])
  }

  func back(_ root: ObjectPath, _ screen: UInt64) async throws {
    _ = try await call(
      try Contract.routerPath(of: root), Contract.routerInterface, "Back", [.uint64(screen), .vardict([:])])
  }

  /// Announces the test's client as a renderer.
  func attach(_ root: ObjectPath) async throws {
    _ = try await call(try Contract.routerPath(of: root), Contract.routerInterface, "Attach", [.vardict([:])])
  }

  /// The names of the screens, bottom first.
  func names(_ root: ObjectPath) async throws -> [String] {
    try await screens(root).compactMap { $0["name"]?.string }
  }

  /// The ids of the rows of the top screen.
  func items(_ root: ObjectPath) async throws -> [String] {
    try await screens(root).last?["items"]?.elements?.compactMap { $0.vardict?["id"]?.string } ?? []
  }

  func screens(_ root: ObjectPath) async throws -> [[String: Value]] {
    let proxy = Proxy(
      connection: client, destination: Contract.busName, path: try Contract.routerPath(of: root),
      interface: Contract.routerInterface)
    return try await proxy.property("Screens").elements?.compactMap(\.vardict) ?? []
  }

  func call(_ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value]) async throws -> [Value] {
    try await client.call(
      destination: Contract.busName, path: path, interface: interface, member: member, arguments: arguments,
      deadline: .seconds(60))
  }
}

/// A provider that serves in the test's process.
struct RunningProvider: Sendable {
  let task: Task<Void, any Error>
  let connection: Connection

  /// Ends the provider as SIGTERM does.
  func end() async throws {
    task.cancel()
    try await task.value
    await connection.close()
  }
}

extension SignalSequence {
  /// Waits until something is the case, which is examined after each signal.
  func first(_ isDone: (SignalDelivery) async throws -> Bool) async throws {
    for try await delivery in self where try await isDone(delivery) { return }
  }

  /// Waits until flows have been added.
  func waitForFlows() async throws {
    for await delivery in self {
      if case .signal(let signal) = delivery, signal.body.first?.elements?.isEmpty == false { return }
    }
  }
}
