import CoordinatorBus
import CoordinatorKit
import CoordinatorProvider
import DBus
import Platform
import TestBus
import Testing

@Suite("A provider reports the end of its work", .timeLimit(.minutes(2)))
struct EndWorkTests {
  /// A daemon that only learns of the ends of work.
  private final class Desk: ExportedObject {
    let interfaces = [Contract.manager]
    let registered = Observed(0)
    /// The ends of work that it has received, in order.
    let told = Observed<[[String: Value]]>([])
    private let refusal: @Sendable (_ number: Int) -> DBusError?

    /// Creates a desk that refuses some ends; they are numbered from 1.
    init(refusing refusal: @escaping @Sendable (Int) -> DBusError?) { self.refusal = refusal }

    func handle(_ call: IncomingCall) {
      switch call.member {
      case "RegisterFlows":
        registered.update { $0 += 1 }
        call.reply([.uint32(0)])
      case "EndWork":
        let number = told.update { told in
          told.append(call.arguments[2].vardict ?? [:])
          return told.count
        }
        if let error = refusal(number) { call.fail(error) } else { call.reply() }
      default: call.reply()
      }
    }
  }

  /// Performs any work at once.
  private struct Service: FlowService {
    var registration: [[String: Value]] { [["name": .string("errand"), "title": .string("Errand")]] }
    var digest: String { "" }
    var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }
    var servesWhatItCan: Bool { false }

    func decide(_ question: FlowQuestion) async -> FlowAnswer { .notTaken }

    func perform(
      _ work: ProvidedWork, of flow: String, instance: String, attempt: UInt64, in context: SharedWorkContext
    ) async throws -> String { "done" }

    func screens(
      showing value: any Sendable, from work: ProvidedWork, of instance: String, flow: String
    ) async -> [LiveScreen]? { nil }

    func showsLiveValues(_ flow: String) -> Bool { false }
    func forget(_ instance: String) {}
  }

  /// Returns the reports that the daemon receives about a piece of work, up to a number, and the complaints of the provider.
  private func ends(
    _ count: Int, refusing refusal: @escaping @Sendable (Int) -> DBusError?
  ) async throws -> (told: [[String: Value]], complaints: Record<String>) {
    let bus = try PrivateBus()
    let desk = Desk(refusing: refusal)
    let daemon = try await Connection.open(.address(bus.address))
    try await daemon.export(desk, at: Contract.rootPath)
    #expect(try await daemon.requestName(Contract.busName) == .primaryOwner)
    let connection = try await Connection.open(.address(bus.address))
    let complaints = Record<String>()
    let serving = Task { try await Provider(of: Service(), complain: { complaints.append($0) }).serve(on: connection) }
    try await desk.registered.until { $0 == 1 }
    _ = try await daemon.call(
      destination: connection.uniqueName, path: "/org/coordinatord/FlowProvider1",
      interface: Contract.flowProviderInterface, member: "Perform",
      arguments: [
        .string("errand"), .string("/errand_1@1"), .string("w-1"), .uint32(1), .string(""),
        .dictionary(key: .string, value: .string, []),
      ])
    let told = try await desk.told.until { $0.count >= count }
    if count > 1 { try await complaints.reaches(1) }
    serving.cancel()
    try await serving.value
    await connection.close()
    await daemon.close()
    return (told, complaints)
  }

  @Test(
    "A result that the daemon refuses is logged, and an error replaces it, so that the flow does not wait forever")
  func refused() async throws {
    let (told, complaints) = try await ends(2) { $0 == 1 ? .invalidArgs("no room for it") : nil }
    #expect(told[0] == ["value": .string("done")])
    #expect(told[1]["type"] == .string("refused-result"))
    #expect(told[1]["message"]?.string?.contains("no room for it") == true)
    #expect(complaints.values.count == 1 && complaints.values[0].contains("no room for it"), "\(complaints.values)")
  }

  @Test("A result that cannot be stored now is logged once, and reported again later")
  func repeated() async throws {
    let (told, complaints) = try await ends(3) {
      $0 < 3 ? DBusError(name: Contract.errorPrefix + "NotStored", message: "the disk is full") : nil
    }
    #expect(told.allSatisfy { $0 == ["value": .string("done")] })
    #expect(complaints.values.count == 1 && complaints.values[0].contains("the disk is full"), "\(complaints.values)")
  }

  @Test("That another process performs the work by now is nothing to complain of")
  func another() async throws {
    let (_, complaints) = try await ends(1) { _ in .accessDenied("another connection performs this work") }
    #expect(complaints.values.isEmpty)
  }
}
