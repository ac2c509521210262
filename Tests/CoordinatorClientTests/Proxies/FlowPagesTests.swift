import CoordinatorBus
import CoordinatorClient
import DBus
import Platform
import TestBus
import Testing

@Suite("Flows are listed part by part", .timeLimit(.minutes(5)))
struct FlowPagesTests {
  /// A daemon that lists flows, with or without parts.
  private final class Listing: ExportedObject {
    let interfaces = [Contract.manager]
    private let hasParts: Bool
    private let calls = Lock<[String]>([])

    init(hasParts: Bool) { self.hasParts = hasParts }

    var called: [String] { calls.withLock(\.self) }

    func property(_ name: String, of interface: String) throws(DBusError) -> Value { throw .unknownProperty(name) }

    func handle(_ call: IncomingCall) {
      let last = call.arguments.first?.string ?? ""
      calls.withLock { $0.append("\(call.member) \(last)") }
      let flow = { (name: String) in ["name": Value.string(name), "title": .string(name)] }
      switch (call.member, last) {
      case ("ListFlowsAfter", _) where !hasParts: call.fail(.unknownMethod("no method ListFlowsAfter"))
      case ("ListFlowsAfter", ""): call.reply([.vardicts([flow("a"), flow("b")]), .boolean(true)])
      case ("ListFlowsAfter", "b"): call.reply([.vardicts([flow("c")]), .boolean(false)])
      case ("ListFlows", _): call.reply([.vardicts([flow("b"), flow("a")])])
      default: call.fail(.failed("not in this play"))
      }
    }
  }

  private func listed(by daemon: Listing) async throws -> [String] {
    let bus = try PrivateBus()
    let connection = try await Connection.open(.address(bus.address))
    try await connection.export(daemon, at: Contract.rootPath)
    _ = try await connection.requestName(Contract.busName)
    let client = try await DaemonClient.connect(to: .address(bus.address))
    return try await client.manager.listFlows().map(\.name)
  }

  @Test("Each part begins after the last flow of the one before")
  func partsFollowEachOther() async throws {
    let daemon = Listing(hasParts: true)
    #expect(try await listed(by: daemon) == ["a", "b", "c"])
    #expect(daemon.called == ["ListFlowsAfter ", "ListFlowsAfter b"])
  }

  @Test("A daemon without parts lists all flows at once")
  func olderDaemonListsAllAtOnce() async throws {
    let daemon = Listing(hasParts: false)
    #expect(try await listed(by: daemon) == ["b", "a"])
    #expect(daemon.called == ["ListFlowsAfter ", "ListFlows "])
  }
}
