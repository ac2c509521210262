import CoordinatorBus
import DBus
import TestBus
import Testing

@Suite("A daemon that leaves while it is asked", .timeLimit(.minutes(5)))
struct SuccessorTests {
  /// A daemon that leaves the bus at the first call.
  private struct Leaving: ExportedObject {
    let connection: Connection
    var interfaces: [InterfaceDescription] { [Contract.manager] }

    func property(_ name: String, of interface: String) throws(DBusError) -> Value { throw .unknownProperty(name) }

    func handle(_ call: IncomingCall) {
      Task {
        await connection.close()
        // Replies only here: the call has been kept until now.
        call.reply()
      }
    }
  }

  /// A daemon that has no flows.
  private struct Empty: ExportedObject {
    var interfaces: [InterfaceDescription] { [Contract.manager] }

    func property(_ name: String, of interface: String) throws(DBusError) -> Value { throw .unknownProperty(name) }

    func handle(_ call: IncomingCall) {
      guard call.member == "ListFlowsAfter" else { return call.fail(.failed("\(call.member) arrived twice")) }
      call.reply([.array(of: .dictionary(key: .string, value: .variant), []), .boolean(false)])
    }
  }

  /// Runs a command of coordinatorctl while a daemon leaves and another one waits for the name.
  private func control(_ arguments: String...) async throws -> ProgramReport {
    let bus = try PrivateBus()
    let leaving = try await Connection.open(.address(bus.address))
    try await leaving.show(Leaving(connection: leaving))
    _ = try await leaving.requestName(Contract.busName)
    let next = try await Connection.open(.address(bus.address))
    try await next.show(Empty())
    // The daemon waits in the queue of the bus, and then owns the name at once.
    _ = try await next.call(
      MethodCall(
        destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
        member: "RequestName", arguments: [.string(Contract.busName), .uint32(0)]))
    let report = try await Program.run(
      [Built.executable("coordinatorctl")] + arguments, environment: RunningDaemon.environment(of: bus))
    await next.close()
    return report
  }

  @Test("A command that only reads asks the successor")
  func readingIsRepeated() async throws {
    let report = try await control("flows")
    #expect(report.status == .exited(0), "\(report)")
  }

  @Test("A command that changes something is not repeated, because it may have been done")
  func changingIsNotRepeated() async throws {
    let report = try await control("forget", "mine")
    #expect(report.status != .exited(0), "\(report)")
    #expect(!report.errors.contains("arrived twice"), "\(report)")
  }
}

extension Connection {
  /// Exports a manager.
  fileprivate func show(_ manager: some ExportedObject) throws { try export(manager, at: Contract.rootPath) }
}
