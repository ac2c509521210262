import CoordinatorBus
import CoordinatorClient
import DBus
import TestBus
import Testing

@Suite("The options of coordinatord", .timeLimit(.minutes(5)))
struct OptionTests {
  private func coordinatord(_ options: String...) async throws -> ProgramReport {
    try await Program.run([Built.executable("coordinatord")] + options)
  }

  @Test("--help names every option and the exit statuses")
  func helpNamesEveryOption() async throws {
    let report = try await coordinatord("--help")
    #expect(report.status == .exited(0))
    let options = [
      "--ephemeral", "--address", "--system", "--group", "--log-level", "--replace", "--version", "--max-flows",
      "--max-flows-per-client",
      "--max-depth", "--max-items", "--max-payload", "--max-outcomes", "--handler-deadline", "Exit status",
    ]
    for option in options { #expect(report.output.contains(option), "\(option)") }
  }

  @Test("--version prints the value of the property Version")
  func versionOptionMatchesTheProperty() async throws {
    let report = try await coordinatord("--version")
    #expect(report.status == .exited(0))
    let daemon = try await RunningDaemon.start()
    #expect(try await daemon.client().managerProperty("Version") == .string(report.lines.joined()))
  }

  @Test(
    "Invalid options exit with status 64 and an error message",
    arguments: [
      ["--no-such-option"], ["--max-flows", "many"], ["--max-flows", "-1"], ["--max-depth", "0"], ["--handler-deadline", "0"],
      ["--log-level", "loud"],
      ["--system", "--address", "unix:path=/x"], ["--group", "root"], ["--system", "--group", "no-such-group"], ["surplus"],
    ])
  func invalidOptionsExitWith64(options: [String]) async throws {
    let report = try await Program.run([Built.executable("coordinatord")] + options)
    #expect(report.status == .exited(64), "\(report)")
    #expect(report.errors.contains("Error: "), "\(report)")
  }

  @Test("The limits default to the contract's values, and the effective values are readable as properties")
  func limitsDefaultToTheContract() async throws {
    let names = ["MaxFlows", "MaxFlowsPerClient", "MaxDepth", "MaxItems", "MaxPayload", "MaxOutcomes"]
    let usualDaemon = try await RunningDaemon.start()
    let usual = try await usualDaemon.client()
    for (name, value) in zip(names, [20_000, 10_000, 64, 10_000, 1 << 20, 1_000] as [UInt32]) {
      #expect(try await usual.managerProperty(name) == .uint32(value))
    }
    let options = ["--max-flows=5", "--max-flows-per-client=4", "--max-depth=3", "--max-items=2", "--max-payload=1000"]
    let daemon = try await RunningDaemon.start(options + ["--max-outcomes=1", "--ephemeral"])
    let client = try await daemon.client()
    for (name, value) in zip(names, [5, 4, 3, 2, 1_000, 1] as [UInt32]) {
      #expect(try await client.managerProperty(name) == .uint32(value))
    }
  }

  @Test("--max-flows and --max-flows-per-client are enforced, and ended flows no longer count")
  func flowLimitsAreEnforcedUntilFlowsEnd() async throws {
    let daemon = try await RunningDaemon.start(["--max-flows=3", "--max-flows-per-client=2"])
    let clients = [try await daemon.client(), try await daemon.client()]
    let flows = [try await Flow.start("pets", clients[0]), try await Flow.start("pets", clients[0])]
    await Self.expectLimit { _ = try await Flow.start("pets", clients[0]) }
    _ = try await Flow.start("pets", clients[1])
    await Self.expectLimit { _ = try await Flow.start("pets", clients[1]) }
    _ = try await flows[0].coordinator.dismiss()
    _ = try await Flow.start("pets", clients[1])
    #expect(try await clients[0].managerProperty("ActiveFlows") == .uint32(3))
  }

  @Test("--max-depth, --max-payload and --max-outcomes are enforced")
  func depthPayloadAndOutcomeLimitsAreEnforced() async throws {
    let daemon = try await RunningDaemon.start(["--max-depth=2", "--max-payload=1000", "--max-outcomes=1"])
    let client = try await daemon.client()
    let pets = try await Flow.start("pets", client)
    try await pets.send("schedule-visit")
    let child = client.coordinator(try pets.path.appending("schedule_visit_1"))
    await Self.expectLimit { _ = try await child.startChild("how-to-code") }
    await Self.expectLimit {
      _ = try await child.delegate(screen: 2, event: "sick", payload: ["text": .string(String(repeating: "x", count: 1_000))])
    }
    #expect(try await pets.screens() == ["1 home", "2 select-visit-type"])
    let other = try await Flow.start("pets", client)
    _ = try await pets.coordinator.dismiss()
    #expect(try await client.manager.outcome(of: pets.path) == .cancelled)
    _ = try await other.coordinator.dismiss()
    #expect(try await client.manager.outcome(of: other.path) == .cancelled)
    await #expect { _ = try await client.manager.outcome(of: pets.path) } throws: {
      ($0 as? ClientError)?.isUnknownObject == true
    }
  }

  private static func expectLimit(_ body: () async throws -> Void) async {
    await #expect { try await body() } throws: { error in
      if case ClientError.failed(let error) = error { error.isStandard("LimitsExceeded") } else { false }
    }
  }
}
