import CoordinatorBus
import CoordinatorClient
import DBus
import TestBus

/// A daemon that only lists a flow, and records the options of the calls that start it.
actor PlainDaemon {
  nonisolated let connection: Connection
  nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

  /// The tags of the languages; nil for a daemon that is older than languages.
  private let languages: [String]?
  /// The options of each call of StartFlow.
  private(set) var options: [[String: Value]] = []

  static func start(on bus: PrivateBus, languages: [String]?) async throws -> PlainDaemon {
    let daemon = PlainDaemon(try await Connection.open(.address(bus.address)), languages)
    try await daemon.export()
    _ = try await daemon.connection.requestName(Contract.busName)
    return daemon
  }

  private init(_ connection: Connection, _ languages: [String]?) {
    self.connection = connection
    self.languages = languages
  }

  private func export() throws {
    try connection.assumeIsolated { try $0.export(PlainManager(daemon: self), at: Contract.rootPath) }
  }

  fileprivate func answer(_ call: IncomingCall) {
    switch call.member {
    case "ListFlowsAfter": call.reply([.vardicts([["name": .string("pets"), "title": .string("Pets")]]), .boolean(false)])
    case "StartFlow":
      options.append(call.arguments.last?.vardict ?? [:])
      // Like an older daemon that does not know the option.
      if languages == nil, options.last?["language"] != nil { return call.fail(.invalidArgs("unknown option 'language'")) }
      call.reply([
        .objectPath("/org/coordinatord/Coordinator1/flows/pets_1"),
        .objectPath("/org/coordinatord/Coordinator1/flows/pets_1/router"),
      ])
    default: call.fail(.failed("not in this play"))
    }
  }

  fileprivate func property(_ name: String) throws(DBusError) -> Value {
    guard name == "Languages", let languages else { throw .unknownProperty(name) }
    return .array(of: .structure([.string, .string]), languages.map { .structure([.string($0), .string($0)]) })
  }
}

private struct PlainManager: ExportedObject {
  let daemon: PlainDaemon
  var interfaces: [InterfaceDescription] { [Contract.manager] }

  func property(_ name: String, of interface: String) throws(DBusError) -> Value {
    do {
      return try daemon.assumeIsolated { try $0.property(name) }
    } catch {
      throw (error as? DBusError) ?? .failed("\(error)")
    }
  }

  func handle(_ call: IncomingCall) { daemon.assumeIsolated { $0.answer(call) } }
}
