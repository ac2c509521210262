import CoordinatorKit
import CoordinatorTestKit
import Flows
import Testing

@Suite("The flow schedule-visit", .timeLimit(.minutes(5)))
struct ScheduleVisitTests {
  @Test(
    "Each way through schedule-visit finishes with what was answered",
    arguments: [
      (["well", "okay"], ["visit": "well"]),
      (["sick", "moderate", "okay"], ["visit": "sick", "pain": "moderate"]),
      (["sick", "severe", "okay"], ["visit": "sick", "pain": "severe"]),
      (["sick", "worst-possible", "okay"], ["visit": "sick", "pain": "worst-possible"]),
      (["sick", "none", "is-fake"], ["visit": "sick", "pain": "none", "faked": true]),
      (["sick", "little", "not-fake", "okay"], ["visit": "sick", "pain": "little"]),
    ] as [([String], [String: JSONValue])])
  func everyWayFinishesWithItsAnswers(events: [String], result: [String: JSONValue]) async throws {
    let flow = try await TestFlow.start("schedule-visit", in: .builtIn())
    for event in events { try await flow.send(event) }
    #expect(try await flow.outcome == .finished(result))
  }

  @Test("Going back and choosing something else leaves no trace of the first choice")
  func goingBackLeavesNoTrace() async throws {
    let flow = try await TestFlow.start("schedule-visit", in: .builtIn())
    for event in ["sick", "little", "not-fake"] { try await flow.send(event) }
    for _ in 1...3 { try await flow.back() }
    #expect(try await flow.names == ["select-visit-type"])
    for event in ["well", "okay"] { try await flow.send(event) }
    #expect(try await flow.outcome == .finished(["visit": "well"]))
  }

  @Test("Going back to the pain level and choosing another one keeps the visit")
  func goingBackToThePainLevelKeepsTheVisit() async throws {
    let flow = try await TestFlow.start("schedule-visit", in: .builtIn())
    for event in ["sick", "none"] { try await flow.send(event) }
    try await flow.back()
    for event in ["severe", "okay"] { try await flow.send(event) }
    #expect(try await flow.outcome == .finished(["visit": "sick", "pain": "severe"]))
  }

  @Test("Back on the first screen of schedule-visit cancels it")
  func backOnTheFirstScreenCancels() async throws {
    let flow = try await TestFlow.start("schedule-visit", in: .builtIn())
    try await flow.back()
    #expect(try await flow.outcome == .cancelled)
  }

  @Test("All screens of schedule-visit are pushed on one stack")
  func allScreensArePushedOnOneStack() async throws {
    let flow = try await TestFlow.start("schedule-visit", in: .builtIn())
    for event in ["sick", "none", "not-fake"] { try await flow.send(event) }
    #expect(
      try await flow.names == ["select-visit-type", "select-pain-level", "faking-it", "no-appointment-required"])
    #expect(try await flow.screens.map(\.layer) == [0, 0, 0, 0])
  }

  /// Version 1 of the flow, as far as it was stored: it kept the answers in its state.
  private actor FirstVersion: Coordinator {
    static let flow = FlowDescription("schedule-visit", title: "Schedule a visit")
    enum Route: Codable { case visitType, painLevel, fakingIt, noAppointment }
    struct State: FlowState { var visit, pain: String? }
    let context = Context()

    func start() {
      state = State(visit: "sick", pain: "none")
      for route in [Route.visitType, .painLevel, .fakingIt, .noAppointment] { router.present(route) }
    }

    func screen(for route: Route) -> Screen { .message("old", title: "Old") }
  }

  @Test("A visit that version 1 has stored continues, with its answers in its routes")
  func storedVisitGoesOn() async throws {
    let old = try await TestFlow.start { FirstVersion() }
    let flow = try await old.restarted(in: .builtIn())
    #expect(
      try await flow.names == ["select-visit-type", "select-pain-level", "faking-it", "no-appointment-required"])
    try await flow.back()
    try await flow.send("is-fake")
    #expect(try await flow.outcome == .finished(["visit": "sick", "pain": "none", "faked": true]))
    let other = try await old.restarted(in: .builtIn())
    try await other.send("okay")
    #expect(try await other.outcome == .finished(["visit": "sick", "pain": "none"]))
  }
}
