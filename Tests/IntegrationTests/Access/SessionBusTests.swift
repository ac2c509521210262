import CoordinatorBus
import CoordinatorClient
import DBus
import TestBus
import Testing

@Suite("coordinatord on a session bus that lets other users connect", .timeLimit(.minutes(5)))
struct SessionBusTests {
  @Test(
    "Another user's calls to every interface are refused without effect, while the daemon's own user is served",
    .enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func callsOfAnotherUserAreRefused() async throws {
    let bus = try PrivateBus(configuration: BusConfiguration.openSession)
    let daemon = try await RunningDaemon.start(on: bus)
    let own = try await daemon.client()
    let pets = try await Flow.start("pets", own)
    for call in OtherUser.calls(of: "pets_1") {
      let report = try await OtherUser.member.call(bus, [Contract.busName] + call)
      #expect(report.status == .exited(1) && report.errors.contains("Access denied"), "\(call): \(report)")
    }
    #expect(try await pets.screens() == ["1 home"])
    #expect(try await own.manager.listActive().count == 1)
    #expect(try await own.managerProperty("Renderers") == .uint32(0))
    try await pets.send("schedule-visit")
  }

  @Test(
    "The payload of another user's refused call is not kept in memory",
    .enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"),
    .enabled(if: CanaryTests.canReadMemory, "\(CanaryTests.memoryReason)"))
  func refusedPayloadIsNotKeptInMemory() async throws {
    let daemon = try await start(refusing: CanaryTests.canary)
    try await CanaryTests.expectNoCanary(inMemoryOf: daemon.program.processIdentifier)
    _ = await daemon.stop()
  }

  @Test(
    "The log names the user of a refused call and not its payload",
    .enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func refusedPayloadIsNotLogged() async throws {
    let log = try await start(refusing: CanaryTests.canary).stop()
    #expect(!(log.output + log.errors).contains("canary-"))
    #expect(log.errors.contains("refused a caller user=\(OtherUser.number)"))
  }

  /// Starts a daemon that refuses another user's password.
  private func start(refusing password: String) async throws -> RunningDaemon {
    let bus = try PrivateBus(configuration: BusConfiguration.openSession)
    let daemon = try await RunningDaemon.start(on: bus, ["--log-level", "info"])
    let account = try await Flow.start("account", try await daemon.client())
    for path in [account.path.string, "/nowhere"] {
      let payload = ["2", "username", "s", "demo", "password", "s", password]
      let report = try await OtherUser.stranger.call(
        bus, [Contract.busName, path, Contract.coordinatorInterface, "Delegate", "tsa{sv}a{sv}", "1", "submit"] + payload + ["0"])
      #expect(report.errors.contains("Access denied"), "\(report)")
    }
    return daemon
  }
}
