import CoordinatorKit
import CoordinatorTestKit
import Flows
import Testing

@Suite("schedule-visit")
struct ScheduleVisitTests {
  @Test(
    "each way through ends as finished, with what was answered",
    arguments: [
      (["well", "okay"], ["visit": "well"]),
      (["sick", "moderate", "okay"], ["visit": "sick", "pain": "moderate"]),
      (["sick", "severe", "okay"], ["visit": "sick", "pain": "severe"]),
      (["sick", "worst-possible", "okay"], ["visit": "sick", "pain": "worst-possible"]),
      (["sick", "none", "is-fake"], ["visit": "sick", "pain": "none", "faked": true]),
      (["sick", "little", "not-fake", "okay"], ["visit": "sick", "pain": "little"]),
    ] as [([String], [String: JSONValue])])
  func ways(events: [String], result: [String: JSONValue]) async throws {
    let flow = try await TestFlow.start("schedule-visit", in: .builtIn())
    for event in events { try await flow.send(event) }
    #expect(try await flow.outcome == .finished(result))
  }

  @Test("going back and choosing otherwise leaves no trace of the first choice")
  func noTrace() async throws {
    let flow = try await TestFlow.start("schedule-visit", in: .builtIn())
    for event in ["sick", "little", "not-fake"] { try await flow.send(event) }
    for _ in 1...3 { try await flow.back() }
    #expect(try await flow.names == ["select-visit-type"])
    for event in ["well", "okay"] { try await flow.send(event) }
    #expect(try await flow.outcome == .finished(["visit": "well"]))
  }

  @Test("going back to the pain level and choosing otherwise keeps the visit")
  func backToPain() async throws {
    let flow = try await TestFlow.start("schedule-visit", in: .builtIn())
    for event in ["sick", "none"] { try await flow.send(event) }
    try await flow.back()
    for event in ["severe", "okay"] { try await flow.send(event) }
    #expect(try await flow.outcome == .finished(["visit": "sick", "pain": "severe"]))
  }

  @Test("Back on the first screen cancels")
  func cancel() async throws {
    let flow = try await TestFlow.start("schedule-visit", in: .builtIn())
    try await flow.back()
    #expect(try await flow.outcome == .cancelled)
  }

  @Test("all screens are pushed in one stack")
  func stack() async throws {
    let flow = try await TestFlow.start("schedule-visit", in: .builtIn())
    for event in ["sick", "none", "not-fake"] { try await flow.send(event) }
    #expect(
      try await flow.names == ["select-visit-type", "select-pain-level", "faking-it", "no-appointment-required"])
    #expect(try await flow.screens.map(\.layer) == [0, 0, 0, 0])
  }
}
