import CoordinatorBus
import CoordinatorClient
import DBus
import Foundation
import TestBus
import Testing

@Suite("coordinatord on a system bus with the policy file that ships", .timeLimit(.minutes(5)))
final class SystemBusTests {
  private static let policy = Built.checkedOut("Packaging/dbus-1/system.d/\(Contract.busName).conf")
  private let copy = FileManager.default.temporaryDirectory.appending(path: "policy-\(UUID().uuidString).conf")

  /// Returns a bus with the policy, adapted to a group that exists on this machine.
  private func bus() throws -> PrivateBus {
    let text = try String(contentsOfFile: Self.policy, encoding: .utf8)
    let adapted = text.replacing(#"group="coordinatord""#, with: #"group="\#(OtherUser.group)""#)
    #expect(adapted != text)
    try adapted.write(to: copy, atomically: true, encoding: .utf8)
    return try PrivateBus(configuration: BusConfiguration.system(including: copy.path))
  }

  deinit { try? FileManager.default.removeItem(at: copy) }

  private static let options = ["--system", "--group", OtherUser.group]

  /// Expects that another user's listener has received nothing from the daemon.
  private static func expectNothing(of daemon: RunningDaemon, in heard: String) {
    for sign in ["/org/coordinatord", "interface=\(Contract.busName)", "sender=\(daemon.uniqueName) "] {
      #expect(!heard.contains(sign), "\(heard)")
    }
  }

  @Test("The policy file as shipped lets root serve and call", .enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func shippedPolicyLetsRootServeAndCall() async throws {
    let bus = try PrivateBus(configuration: BusConfiguration.system(including: Self.policy))
    let daemon = try await RunningDaemon.start(on: bus, ["--system"])
    _ = try await Flow.start("pets", try await daemon.client())
    let report = try await OtherUser.member.call(bus, [Contract.busName] + OtherUser.calls(of: "pets_1")[0])
    #expect(report.errors.contains("Access denied"), "the group does not exist, or has no such member: \(report)")
  }

  @Test(
    "Other users can neither call nor listen, while root and the members of the group can do both",
    .enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func policyAdmitsOnlyRootAndTheGroup() async throws {
    let bus = try bus()
    let daemon = try await RunningDaemon.start(on: bus, Self.options)
    let root = try await daemon.client()
    let signals = try await root.signals(of: daemon)
    let stranger = try await OtherUser.stranger.listen(on: bus, with: root)
    let member = try await OtherUser.member.listen(on: bus, with: root)
    let pets = try await Flow.start("pets", root)
    for name in [Contract.busName, daemon.uniqueName] {
      for call in OtherUser.calls(of: "pets_1") {
        let report = try await OtherUser.stranger.call(bus, [name] + call)
        #expect(report.status == .exited(1) && report.errors.contains("Access denied"), "\(call): \(report)")
      }
    }
    #expect(try await pets.screens() == ["1 home"])
    #expect(try await root.manager.listActive().count == 1)
    for call in OtherUser.calls(of: "pets_1").filter({ ["StartFlow", "Delegate", "Introspect"].contains($0[2]) }).prefix(3) {
      let report = try await OtherUser.member.call(bus, [Contract.busName] + call)
      #expect(report.status == .exited(0), "\(call): \(report)")
    }
    #expect(try await pets.screens() == ["1 home", "2 select-visit-type"])
    while try await signals.first("FlowStarted")?.body.first != .objectPath(try Contract.flowsPath.appending("pets_2")) {}
    try await member.prints("member=FlowStarted", times: 2)
    try await OtherUser.stranger.mark(bus, heardBy: stranger)
    Self.expectNothing(of: daemon, in: stranger.output)
    try await expectHistory(of: daemon)
  }

  /// Expects that the history names root and the member by number and by name.
  private func expectHistory(of daemon: RunningDaemon) async throws {
    let log = try await daemon.run(
      Built.executable("coordinatorctl"), "log", "--json", "--state-dir", "\(daemon.bus.directory)/coordinatord")
    #expect(log.lines.first?.contains(#""user":0,"userName":"root""#) == true, "\(log)")
    let delegation = log.lines.first { $0.contains(#""event":"delegate""#) }
    #expect(delegation?.contains(#""user":\#(OtherUser.number),"userName":"nobody""#) == true, "\(log)")
    #expect(log.lines.count == 3, "nothing of who was refused: \(log)")
  }

  @Test(
    "Client limits apply per user: a second connection shares the first one's quota, even after the first has left",
    .enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func clientLimitsApplyToTheUser() async throws {
    let bus = try bus()
    let daemon = try await RunningDaemon.start(on: bus, Self.options + ["--max-flows-per-client", "2"])
    let (first, second) = (try await daemon.client(), try await daemon.client())
    let kept = try await Flow.start("pets", first)
    _ = try await Flow.start("pets", second)
    await #expect(throws: ClientError.self) { _ = try await first.manager.startFlow("pets") }
    await #expect(throws: ClientError.self) { _ = try await second.manager.startFlow("pets") }
    await first.close()
    await #expect(throws: ClientError.self) { _ = try await second.manager.startFlow("pets") }
    let member = try await OtherUser.member.call(
      bus, [Contract.busName, Contract.rootPath.string, Contract.managerInterface, "StartFlow", "sa{sv}a{sv}", "pets", "0", "0"])
    #expect(member.status == .exited(0), "another user has a share of its own: \(member)")
    _ = try await second.coordinator(kept.path).dismiss()
    _ = try await Flow.start("pets", second)
    #expect(await daemon.stop().status == .exited(0))
  }

  @Test(
    "Another user hears nothing from a daemon that ends or is replaced",
    .enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func anotherUserHearsNothingOfAnEndingDaemon() async throws {
    let bus = try bus()
    let first = try await RunningDaemon.start(on: bus, Self.options + ["--ephemeral"])
    let root = try await first.client()
    let stranger = try await OtherUser.stranger.listen(on: bus, with: root)
    _ = try await Flow.start("pets", root)
    let signals = try await root.signals(of: first)
    let second = try await RunningDaemon.start(on: bus, Self.options + ["--ephemeral", "--replace"])
    #expect(try await signals.first("FlowEnded") != nil)
    #expect(await first.program.ended().status == .exited(0))
    _ = try await Flow.start("pets", root)
    let last = try await root.signals(of: second)
    #expect(await second.stop().status == .exited(0))
    #expect(try await last.first("FlowEnded") != nil)
    try await OtherUser.stranger.mark(bus, heardBy: stranger)
    let heard = stranger.output.replacing(/member=NameOwnerChanged\n.*\n.*\n.*\n/, with: "")
    Self.expectNothing(of: first, in: heard)
    Self.expectNothing(of: second, in: heard)
  }
}
