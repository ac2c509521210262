import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus
import Flows
import Logging
import ProviderFiles
import TestBus

@testable import CoordinatorDaemon

/// A daemon on its own bus, in the test's process, and a client of it.
struct TestDaemon: Sendable {
  let bus: PrivateBus
  let client: Connection
  let spinner: Spinner
  private let task: Task<Void, any Error>

  /// Starts a daemon with the built-in flows and `lab`. On a bus that is given, it keeps a journal.
  init(
    on bus: PrivateBus? = nil, limits: DaemonLimits = DaemonLimits(), handlerDeadline: Duration = .seconds(30),
    clock: MachineClock = .system
  ) async throws {
    let spinner = Spinner()
    var catalogue = try FlowCatalogue.builtIn()
    try catalogue.add { Lab(spinner: spinner) }
    try await self.init(
      catalogue, on: bus, isKept: bus != nil, spinner: spinner, limits: limits, handlerDeadline: handlerDeadline, clock: clock)
  }

  /// Starts a daemon with the given flows, on a new bus if none is given. If `isKept` is true, its journal is in the
  /// directory of the bus.
  init(
    _ catalogue: FlowCatalogue, on bus: PrivateBus? = nil, isKept: Bool = false, spinner: Spinner = Spinner(),
    access: FlowAccess = FlowAccess(), providers: String? = nil, scripts: [String] = [],
    providerStartTime: Duration = .seconds(20),
    limits: DaemonLimits = DaemonLimits(), handlerDeadline: Duration = .seconds(30), clock: MachineClock = .system
  ) async throws {
    let bus = try bus ?? PrivateBus()
    var configuration = DaemonConfiguration(
      bus: .address(bus.address), access: access, providers: ProviderPlaces([providers].compactMap(\.self)), limits: limits,
      handlerDeadline: handlerDeadline)
    configuration.providerStartTime = providerStartTime
    configuration.scripts = scripts
    if isKept { configuration.journal = JournalConfiguration(directory: Self.journal(on: bus), sync: .off) }
    let (ready, continuation) = AsyncStream.makeStream(of: String.self)
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    var daemon = Daemon(catalogue: catalogue, configuration: configuration, logger: logger) { continuation.yield($0) }
    daemon.clock = clock
    let task = Task { [daemon] in
      defer { continuation.finish() }
      try await daemon.run()
    }
    var names = ready.makeAsyncIterator()
    guard await names.next() != nil else {
      try await task.value
      throw DaemonError.busLost("the daemon ended before it was ready")
    }
    self.bus = bus
    self.spinner = spinner
    self.task = task
    client = try await Connection.open(.address(bus.address))
  }

  /// Returns the directory of the journal, if the daemon keeps one.
  static func journal(on bus: PrivateBus) -> String { bus.directory + "/journal" }

  /// Ends the daemon like SIGTERM, and waits until it has ended.
  func end() async throws {
    task.cancel()
    try await task.value
  }

  /// Opens another client, which can leave the bus while the test's own client stays.
  func anotherClient() async throws -> Connection { try await Connection.open(.address(bus.address)) }

  // MARK: Calls

  func start(
    _ flow: String, _ input: [String: Value] = [:], _ options: [String: Value] = [:], by client: Connection? = nil
  ) async throws -> ObjectPath {
    let reply = try await manager("StartFlow", [.string(flow), .vardict(input), .vardict(options)], by: client)
    return try require(reply.first?.objectPath)
  }

  func run(
    _ flow: String, _ input: [String: Value] = [:], _ options: [String: Value] = [:], by client: Connection? = nil
  ) async throws -> (outcome: String, result: [String: Value]) {
    let reply = try await manager("RunFlow", [.string(flow), .vardict(input), .vardict(options)], by: client)
    return (try require(reply.first?.string), try require(reply.last?.vardict))
  }

  func outcome(_ path: ObjectPath) async throws -> String {
    try require(try await manager("GetOutcome", [.objectPath(path)]).first?.string)
  }

  func manager(_ member: String, _ arguments: [Value] = [], by other: Connection? = nil) async throws -> [Value] {
    try await call(Contract.rootPath, Contract.managerInterface, member, arguments, by: other)
  }

  @discardableResult
  func delegate(
    _ path: ObjectPath, _ screen: UInt64, _ event: String, _ payload: [String: Value] = [:],
    _ options: [String: Value] = [:], by other: Connection? = nil
  ) async throws -> UInt64 {
    let arguments: [Value] = [.uint64(screen), .string(event), .vardict(payload), .vardict(options)]
    return try require(
      try await call(path, Contract.coordinatorInterface, "Delegate", arguments, by: other).first?.uint64)
  }

  @discardableResult
  func dismiss(_ path: ObjectPath, _ options: [String: Value] = [:]) async throws -> UInt64 {
    let arguments: [Value] = [.boolean(true), .vardict(options)]
    return try require(try await call(path, Contract.coordinatorInterface, "Dismiss", arguments).first?.uint64)
  }

  func property(_ name: String, _ interface: String, at path: ObjectPath) async throws -> Value {
    try await Proxy(connection: client, destination: Contract.busName, path: path, interface: interface).property(name)
  }

  func screens(_ root: ObjectPath) async throws -> [[String: Value]] {
    let value = try await property("Screens", Contract.routerInterface, at: Contract.routerPath(of: root))
    return value.elements?.compactMap(\.vardict) ?? []
  }

  func call(
    _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value], by other: Connection? = nil
  ) async throws -> [Value] {
    try await (other ?? client).call(
      destination: Contract.busName, path: path, interface: interface, member: member, arguments: arguments,
      deadline: .seconds(60))
  }

  /// Subscribes to all signals of the daemon from now on.
  func signals() async throws -> SignalSequence {
    try await client.signals(matching: MatchRule(type: .signal, sender: Contract.busName, pathNamespace: Contract.rootPath))
  }
}

/// An answer that violates the contract.
struct NotInContract: Error {}

/// `#require`, for functions outside of tests.
private func require<T>(_ value: T?) throws -> T {
  guard let value else { throw NotInContract() }
  return value
}
