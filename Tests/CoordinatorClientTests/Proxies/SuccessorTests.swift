import CoordinatorBus
import CoordinatorClient
import DBus
import TestBus
import Testing

@Suite("A daemon that leaves while it is asked", .timeLimit(.minutes(5)))
struct SuccessorTests {
  /// A daemon that leaves the bus at the first call, and has its successor reply to the next one.
  private struct Leaving: ExportedObject {
    let connection: Connection
    var interfaces: [InterfaceDescription] { [Contract.manager] }

    func property(_ name: String, of interface: String) throws(DBusError) -> Value { throw .unknownProperty(name) }

    func handle(_ call: IncomingCall) {
      Task {
        await connection.close()
        // Not before: this is where the call has been kept.
        call.reply()
      }
    }
  }

  /// A daemon that has no flows.
  private struct Empty: ExportedObject {
    var interfaces: [InterfaceDescription] { [Contract.manager] }

    func property(_ name: String, of interface: String) throws(DBusError) -> Value { throw .unknownProperty(name) }

    func handle(_ call: IncomingCall) {
      guard call.member == "ListFlows" else { return call.fail(.failed("\(call.member) arrived twice")) }
      call.reply([.array(of: .dictionary(key: .string, value: .variant), [])])
    }
  }

  private func client(on bus: PrivateBus) async throws -> (client: DaemonClient, daemons: [Connection]) {
    let leaving = try await Connection.open(.address(bus.address))
    try await leaving.show(Leaving(connection: leaving))
    _ = try await leaving.requestName(Contract.busName)
    let next = try await Connection.open(.address(bus.address))
    try await next.show(Empty())
    // It waits in the queue of the bus, and owns the name at once.
    _ = try await next.call(
      MethodCall(
        destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
        member: "RequestName", arguments: [.string(Contract.busName), .uint32(0)]))
    return (try await DaemonClient.connect(to: .address(bus.address)), [leaving, next])
  }

  @Test("What only reads is asked of the successor")
  func readingIsRepeated() async throws {
    let bus = try PrivateBus()
    let (client, daemons) = try await client(on: bus)
    #expect(try await client.manager.listFlows().isEmpty)
    _ = daemons
  }

  @Test("What changes something is not repeated, because it may have been done")
  func changingIsNotRepeated() async throws {
    let bus = try PrivateBus()
    let (client, daemons) = try await client(on: bus)
    let error = await #expect(throws: ClientError.self) { try await client.manager.forget("mine") }
    #expect(error?.isDaemonGone == true)
    _ = daemons
  }
}

extension Connection {
  /// Exports a manager.
  fileprivate func show(_ manager: some ExportedObject) throws { try export(manager, at: Contract.rootPath) }
}
