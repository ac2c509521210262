import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import TestBus
import Testing

@Suite("What the daemon logs about flows", .timeLimit(.minutes(5)))
struct FlowLogTests {
  /// Plays a flow with a child to its end, including a refused event with a payload.
  private func lines(_ level: String) async throws -> [Substring] {
    let daemon = try await RunningDaemon.start(["--log-level", level])
    let client = try await daemon.client()
    let pets = try await Flow.start("pets", client)
    try await pets.send("schedule-visit")
    await #expect(throws: ClientError.self) {
      try await client.coordinator(pets.path).delegate(
        screen: 1, event: "typed-canary", payload: ["canary-key": .string("canary-value")])
    }
    _ = try await pets.coordinator.dismiss()
    return await daemon.stop().errors.split(separator: "\n")
  }

  @Test("At level info the log shows the life of a flow, each line with the fields to find it by")
  func infoLogsTheLifeOfAFlow() async throws {
    let lines = try await lines("info").filter { $0.contains("coordinator=pets_1") }
    let expected = [
      ["flow started", "flow=pets", "event=start", "sender=:1."],
      ["event", "event=schedule-visit", "sender=:1.", "screen=1", "revision=2"],
      ["child started", "child=schedule-visit", "path=pets_1/schedule_visit_1"],
      ["dismissed", "event=dismiss"],
      ["child ended", "child=schedule-visit", "outcome=cancelled"],
      ["flow ended", "flow=pets", "outcome=cancelled"],
    ]
    #expect(lines.count == expected.count, "\(lines)")
    for (line, parts) in zip(lines, expected) {
      #expect(parts.allSatisfy { line.contains($0) } && line.hasPrefix("coordinatord: info: "), "\(line)")
    }
  }

  @Test("At level notice the log has only a start line and an end line while all is well")
  func noticeLogsOnlyStartAndStop() async throws {
    let lines = try await lines("notice")
    #expect(lines.count == 2, "\(lines)")
    #expect(lines.first?.hasPrefix("coordinatord: notice: serving ") == true)
    #expect(lines.last == "coordinatord: notice: exiting")
  }

  @Test("At level trace the log names refused calls, but nothing that was typed")
  func traceLogsRefusalsWithoutPayloads() async throws {
    let lines = try await lines("trace")
    #expect(
      lines.contains { $0.contains("call refused") && $0.contains("coordinator=pets_1") && $0.contains("sender=:1.") })
    #expect(lines.allSatisfy { !$0.contains("canary") }, "\(lines)")
  }
}
