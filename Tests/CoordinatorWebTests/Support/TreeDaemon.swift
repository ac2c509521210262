import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import TestBus

/// A daemon with one flow tree, pets_1, that shows one screen and answers according to a test's instructions.
actor TreeDaemon {
  static let root: ObjectPath = "/org/coordinatord/Coordinator1/flows/pets_1"

  nonisolated let connection: Connection
  nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

  private let shown: PresentedScreen
  /// The errors for the next calls of these methods.
  private var failures: [String: DBusError] = [:]
  /// Called before a renderer is attached.
  private var beforeAttaching: (@Sendable (isolated TreeDaemon) throws -> Void)?
  /// The people of each call of Attach.
  private(set) var people: [[String]] = []
  /// The tags of the daemon's languages; nil for a daemon that is older than languages.
  private var languages: [String]?
  /// The languages that were proposed, of which the first counts.
  private(set) var proposals: [String] = []
  /// The number of calls of Delegate.
  private(set) var delegations = 0

  static func start(on bus: PrivateBus, showing screen: Screen) async throws -> TreeDaemon {
    let shown = PresentedScreen(id: 1, coordinator: root, style: .push, layer: 0, back: true, screen: screen)
    let daemon = TreeDaemon(try await Connection.open(.address(bus.address)), shown)
    try await daemon.export()
    _ = try await daemon.connection.requestName(Contract.busName)
    return daemon
  }

  private init(_ connection: Connection, _ shown: PresentedScreen) {
    self.connection = connection
    self.shown = shown
  }

  private func export() throws {
    try connection.assumeIsolated { connection in
      try connection.export(TreeObject(daemon: self, interfaces: [Contract.manager]), at: Contract.rootPath)
      try connection.export(TreeObject(daemon: self, interfaces: [Contract.router]), at: Contract.routerPath(of: Self.root))
      try connection.export(TreeObject(daemon: self, interfaces: [Contract.coordinator]), at: Self.root)
    }
  }

  // MARK: Actions of a test

  /// Answers a method with an error, or again normally.
  func fail(_ method: String, _ error: DBusError?) { failures[method] = error }

  /// Offers languages.
  func offer(_ languages: [String]) { self.languages = languages }

  /// Runs a closure before a renderer is attached, after it has subscribed.
  func beforeAttaching(_ body: @escaping @Sendable (isolated TreeDaemon) throws -> Void) { beforeAttaching = body }

  /// Reports that a user types in another renderer.
  func type(_ draft: [String: Value]) throws {
    let signal = RouterSignal.drafted(screen: 1, draft: draft, client: ":1.99")
    try connection.assumeIsolated {
      try $0.emit(
        Signal(
          path: Contract.routerPath(of: Self.root), interface: Contract.routerInterface, member: signal.member,
          body: signal.body))
    }
  }

  // MARK: Calls of clients

  fileprivate func answer(_ call: IncomingCall) throws {
    if let failure = failures[call.member] { return call.fail(failure) }
    switch call.member {
    case "Attach":
      try beforeAttaching?(self)
      people.append(call.arguments[0].vardict?["people"]?.elements?.compactMap(\.string) ?? [])
      call.reply([.uint64(1), .vardicts([try shown.vardict()])])
    case "Detach", "SaveDraft": call.reply()
    case "ProposeLanguage":
      proposals += call.arguments.first?.string.map { [$0] } ?? []
      call.reply([.uint64(1)])
    case "Delegate":
      delegations += 1
      call.reply([.uint64(1)])
    default: call.fail(.failed("not in this play"))
    }
  }

  fileprivate func property(_ name: String) throws(DBusError) -> Value {
    switch name {
    case "Revision": return .uint64(1)
    case "Language": return .string(proposals.first ?? "en")
    case "Languages":
      guard let languages else { throw .unknownProperty(name) }
      return .array(of: .structure([.string, .string]), languages.map { .structure([.string($0), .string($0)]) })
    case "Screens": return .vardicts((try? shown.vardict()).map { [$0] } ?? [])
    default: throw .unknownProperty(name)
    }
  }
}

private struct TreeObject: ExportedObject {
  let daemon: TreeDaemon
  let interfaces: [InterfaceDescription]

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
