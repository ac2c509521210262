import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import TestBus

/// A daemon with one flow tree that follows a test's instructions, including losing signals and forgetting the tree.
actor FakeDaemon {
  nonisolated let connection: Connection
  private let bus: PrivateBus
  nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

  private var truth: ScriptedWindow
  private var outcomes: [ObjectPath: (String, [String: JSONValue])] = [:]
  /// The language of the tree; nil for a daemon that is older than languages.
  private var language: String?
  private(set) var attached = 0
  private(set) var detached = 0
  private(set) var readings = 0
  private(set) var delegated: [[Value]] = []
  /// Whether the daemon is older than the option `way`.
  private var isOlderThanWays = false
  /// Why the client may only see the tree; nil if it may answer.
  private var closed: String?

  var window: MirroredWindow { truth.window }

  /// Starts a daemon that shows `truth`; without a tree it only knows outcomes.
  static func start(on bus: PrivateBus, hasTree: Bool = true, showing truth: ScriptedWindow) async throws -> FakeDaemon {
    let daemon = FakeDaemon(bus: bus, connection: try await Connection.open(.address(bus.address)), truth: truth)
    try await daemon.export(hasTree: hasTree)
    _ = try await daemon.connection.requestName(Contract.busName)
    return daemon
  }

  private init(bus: PrivateBus, connection: Connection, truth: ScriptedWindow) {
    self.bus = bus
    self.connection = connection
    self.truth = truth
  }

  private func export(hasTree: Bool) throws {
    let (manager, router) = (FakeObject(daemon: self, Contract.manager), FakeObject(daemon: self, Contract.router))
    let coordinator = FakeObject(daemon: self, Contract.coordinator)
    try connection.assumeIsolated { connection in
      try connection.export(manager, at: Contract.rootPath)
      guard hasTree else { return }
      try connection.export(router, at: Contract.routerPath(of: ScriptedWindow.root))
      try connection.export(coordinator, at: ScriptedWindow.root)
    }
  }

  // MARK: Actions of a test

  /// Makes the daemon refuse the option `way`, as an older one does.
  func knowNoWays() { isOlderThanWays = true }

  /// Lets clients only see the tree.
  func close(because reason: String) { closed = reason }

  /// Performs changes as one transition and sends the signals that `isSent` lets through.
  func play(
    isSent: (RouterSignal) -> Bool = { _ in true }, _ changes: (inout ScriptedWindow) throws -> Void
  ) throws {
    for signal in try truth.transition(changes) where isSent(signal) { try emit(signal) }
  }

  /// Sets the language that is read.
  func speak(_ language: String) { self.language = language }

  /// Announces a property of the router.
  func announce(_ property: String, _ value: String) throws {
    try emit(
      Contract.routerPath(of: ScriptedWindow.root), "org.freedesktop.DBus.Properties", "PropertiesChanged",
      [.string(Contract.routerInterface), .vardict([property: .string(value)]), .strings([])])
  }

  /// Sends progress.
  func progress(_ screen: UInt64, _ fraction: Double) throws { try emit(truth.progress(screen, fraction)) }

  /// Ends the tree. The router sends no signals for this, as if they were lost.
  func end(_ outcome: String, _ result: [String: JSONValue]) throws {
    outcomes[ScriptedWindow.root] = (outcome, result)
    try emit(
      Contract.rootPath, Contract.managerInterface, "FlowEnded",
      [.objectPath(ScriptedWindow.root), .string("pets"), .string(outcome)])
  }

  /// Remembers the outcome of the tree without emitting a signal.
  func remember(_ outcome: String, _ result: [String: JSONValue]) { outcomes[ScriptedWindow.root] = (outcome, result) }

  /// Leaves the bus.
  func leave() async throws { try await bus.disconnect(connection) }

  // MARK: Calls of clients

  fileprivate func answer(_ call: IncomingCall) throws {
    switch call.member {
    case "Attach":
      attached += 1
      let snapshot = try truth.snapshot
      call.reply([.uint64(snapshot.revision), .vardicts(snapshot.screens)])
    case "Detach":
      detached += 1
      call.reply()
    case "GetOutcome":
      guard let path = call.arguments[0].objectPath, let (outcome, result) = outcomes[path] else {
        return call.fail(.unknownObject("never heard of it"))
      }
      call.reply([.string(outcome), try .object(result)])
    case "MayAnswer": call.reply([.boolean(closed == nil), .string(closed ?? "")])
    case "Delegate":
      if isOlderThanWays, call.arguments.last?.vardict?["way"] != nil { return call.fail(.invalidArgs("unknown option 'way'")) }
      delegated.append(call.arguments)
      call.reply([.uint64(truth.revision)])
    default: call.fail(.failed("not in this play"))
    }
  }

  fileprivate func property(_ name: String) throws(DBusError) -> Value {
    switch name {
    case "Revision":
      readings += 1
      return .uint64(truth.revision)
    case "Screens": return .vardicts((try? truth.snapshot.screens) ?? [])
    case "Language":
      guard let language else { throw .unknownProperty(name) }
      return .string(language)
    default: throw .unknownProperty(name)
    }
  }

  private func emit(_ signal: RouterSignal) throws {
    try emit(Contract.routerPath(of: ScriptedWindow.root), Contract.routerInterface, signal.member, signal.body)
  }

  private func emit(_ path: ObjectPath, _ interface: String, _ member: String, _ body: [Value]) throws {
    try connection.assumeIsolated {
      try $0.emit(Signal(path: path, interface: interface, member: member, body: body))
    }
  }
}

/// One interface of a fake daemon.
private struct FakeObject: ExportedObject {
  let daemon: FakeDaemon
  let interfaces: [InterfaceDescription]

  init(daemon: FakeDaemon, _ interface: InterfaceDescription) {
    self.daemon = daemon
    interfaces = [interface]
  }

  func property(_ name: String, of interface: String) throws(DBusError) -> Value {
    do {
      return try daemon.assumeIsolated { try $0.property(name) }
    } catch {
      throw (error as? DBusError) ?? .failed("\(error)")
    }
  }

  func handle(_ call: IncomingCall) {
    daemon.assumeIsolated { daemon in
      do {
        try daemon.answer(call)
      } catch {
        call.fail(.failed("\(error)"))
      }
    }
  }
}
