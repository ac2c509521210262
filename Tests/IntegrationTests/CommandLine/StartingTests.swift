import BusLoad
import CoordinatorBus
import CoordinatorClient
import DBus
import Glibc
import TestBus
import Testing

@Suite("The start and the end of coordinatord", .timeLimit(.minutes(5)))
struct StartingTests {
  @Test("Without a bus the daemon names the address it tried in one line, and exits with status 1", arguments: [true, false])
  func unreachableBusIsNamedInOneLine(isOption: Bool) async throws {
    let address = "unix:path=/nonexistent/coordinatord-test"
    let report = try await Program.run(
      [Built.executable("coordinatord")] + (isOption ? ["--address", address] : []),
      environment: ["DBUS_SESSION_BUS_ADDRESS": isOption ? "unix:path=/nonexistent/other" : address])
    #expect(report.status == .exited(1))
    #expect(report.output.isEmpty)
    #expect(report.errors.split(separator: "\n").count == 1, "\(report)")
    #expect(report.errors.contains(address), "\(report)")
  }

  @Test("Without any bus address the daemon reports which variable to set, and exits with status 1")
  func missingBusAddressIsReported() async throws {
    let report = try await Program.run(
      ["env", "-u", "DBUS_SESSION_BUS_ADDRESS", "-u", "XDG_RUNTIME_DIR", Built.executable("coordinatord")])
    #expect(report.status == .exited(1))
    #expect(report.errors.contains("DBUS_SESSION_BUS_ADDRESS"), "\(report)")
  }

  @Test("A second daemon on the same bus says what to do and exits with status 1, and the first serves on")
  func secondDaemonOnTheBusIsRefused() async throws {
    let daemon = try await RunningDaemon.start()
    let second = try await daemon.run(Built.executable("coordinatord"))
    #expect(second.status == .exited(1))
    #expect(second.errors.split(separator: "\n").count == 1, "\(second)")
    #expect(second.errors.contains(Contract.busName) && second.errors.contains("--replace"), "\(second)")
    #expect(try await daemon.client().manager.listActive().isEmpty)
  }

  @Test("A daemon whose state directory is in use on another bus takes no name and exits with status 1")
  func secondDaemonOfTheStateDirectoryIsRefused() async throws {
    let first = try await RunningDaemon.start()
    let directory = "\(first.bus.directory)/coordinatord"
    for options in [[], ["--replace"]] {
      do {
        // The bus would announce the name even if the daemon owned it only for a moment.
        _ = try await RunningDaemon.start(["--state-dir", directory] + options)
        Issue.record("it has taken the name")
      } catch let refused as LoadedDaemon.DidNotStart {
        #expect(refused.report.status == .exited(1))
        #expect(refused.report.errors.contains("another daemon uses the state directory \(directory)"), "\(refused.report)")
        #expect(refused.report.errors.split(separator: "\n").count == 1, "\(refused.report)")
      }
    }
    #expect(try await first.client().manager.listActive().isEmpty)
  }

  @Test("With --replace a second daemon takes over the flows, and the first exits with status 0")
  func replaceTakesOverFromTheFirstDaemon() async throws {
    let first = try await RunningDaemon.start()
    let client = try await first.client()
    let pets = try await Flow.start("pets", client)
    let second = try await RunningDaemon.start(on: first.bus, ["--replace"])
    #expect(second.uniqueName != first.uniqueName)
    let report = await first.program.ended()
    #expect(report.status == .exited(0), "\(report)")
    // The second daemon has the first one's stored state.
    #expect(try await client.manager.listActive().map(\.flow) == ["pets"])
    try await pets.send("schedule-visit")
  }

  @Test("SIGTERM and SIGINT end the daemon with status 0, and its flows go on in the next one", arguments: [SIGTERM, SIGINT])
  func flowsSurviveATerminatedDaemon(signal: Int32) async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let pets = try await Flow.start("pets", client)
    try await pets.send("schedule-visit")
    daemon.program.signal(signal)
    #expect(await daemon.program.ended().status == .exited(0))
    let next = try await RunningDaemon.start(on: daemon.bus)
    #expect(try await pets.screens() == ["1 home", "2 select-visit-type"])
    _ = await next.stop()
  }

  @Test(
    "With --ephemeral SIGTERM and SIGINT end the flows, newest first, and the daemon exits with status 0",
    arguments: [SIGTERM, SIGINT])
  func ephemeralDaemonEndsItsFlowsNewestFirst(signal: Int32) async throws {
    let daemon = try await RunningDaemon.start(["--ephemeral"])
    let client = try await daemon.client()
    let flows = [try await Flow.start("pets", client), try await Flow.start("how-to-code", client)]
    try await flows[0].send("schedule-visit")
    let signals = try await client.signals(of: daemon)
    daemon.program.signal(signal)
    let report = await daemon.program.ended()
    #expect(report.status == .exited(0), "\(report)")
    var ended: [Value?] = []
    while ended.count < 2, let signal = try await signals.first("FlowEnded") { ended.append(signal.body.first) }
    #expect(ended == [.objectPath(flows[1].path), .objectPath(flows[0].path)])
  }

  @Test("With --ephemeral a caller that waits for a flow gets its outcome when the daemon ends")
  func waitingCallerIsAnsweredWhenTheDaemonEnds() async throws {
    let daemon = try await RunningDaemon.start(["--ephemeral"])
    let client = try await daemon.client()
    let signals = try await client.signals(of: daemon)
    async let end = client.manager.runFlow("pets")
    try await signals.first("FlowStarted")
    #expect(await daemon.stop().status == .exited(0))
    #expect(try await end == .stopped)
  }

  @Test("When the bus dies the daemon reports it and exits with status 1")
  func lostBusEndsTheDaemon() async throws {
    let daemon = try await RunningDaemon.start()
    _ = try await Flow.start("pets", try await daemon.client())
    daemon.bus.kill()
    let report = await daemon.program.ended()
    #expect(report.status == .exited(1))
    #expect(report.errors.contains("lost"), "\(report)")
    #expect(report.errors.contains(daemon.bus.address), "\(report)")
  }
}
