import CoordinatorKit
import CoordinatorTestKit
import Testing

/// A flow whose work sleeps and shows no live values. The end of each nap starts the next one.
private actor Sleepy: Coordinator {
  static let flow = FlowDescription("sleepy", title: "Sleepy")
  enum Route: Codable { case bed }
  enum Work: Codable { case nap, wait, watch }
  struct State: FlowState { var naps = 0 }
  let context = Context()

  func start() throws {
    router.present(.bed)
    try startWork(.nap)
  }

  func screen(for route: Route) -> Screen {
    .message(
      "bed", title: Text(verbatim: "Naps: \(state.naps)"),
      actions: [Action("more", verbatim: "more"), Action("wait", verbatim: "wait"), Action("watch", verbatim: "watch")])
  }

  func receive(_ event: Event, on route: Route) throws {
    switch event.name {
    case "more": try startWork(.nap)
    case "wait": try startWork(.wait)
    default: try startWork(.watch)
    }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws -> Bool {
    switch work {
    case .nap: for _ in 0..<3 { try await context.sleep(for: .seconds(10)) }
    case .wait: try await Task.sleep(for: .seconds(3_600))
    case .watch: try await context.untilWatched()
    }
    return true
  }

  func workEnded(_ work: Work, with result: WorkResult<Bool>) throws {
    state.naps += 1
    try startWork(.nap)
  }
}

@Suite("The time of test flows", .timeLimit(.minutes(5)))
struct TestFlowTimeTests {
  @Test("Advancing the clock wakes work without live values at each of its times, and the work that it starts")
  func sleepsOfAllWork() async throws {
    let flow = try await TestFlow.start { Sleepy() }
    try await flow.advance(by: .seconds(29))
    #expect(try await flow.top.content.title == "Naps: 0")
    try await flow.advance(by: .seconds(1))
    #expect(try await flow.top.content.title == "Naps: 1")
    // A second sequence begins five seconds later than the first.
    try await flow.advance(by: .seconds(5))
    try await flow.send("more")
    try await flow.advance(by: .seconds(300))
    #expect(try await flow.top.content.title == "Naps: 21")
  }

  @Test("What is not shown in time is reported with its place in the test, and with what may keep it from coming")
  func reasons() async throws {
    let flow = try await TestFlow.start { Sleepy() }
    try await flow.send("watch")
    try await flow.advance(by: .seconds(1))
    let error = await #expect(throws: TestFlow.Misuse.self) {
      _ = try await flow.state(within: .milliseconds(1)) { $0.window.top?.content.name == "sofa" }
    }
    let text = error?.description ?? ""
    #expect(text.hasPrefix("timed out while waiting for a state that meets the condition at CoordinatorKitTests/"), "\(text)")
    for part in [
      "TestFlowTimeTests.swift:", ", for 0.001 seconds; shown: bed; ", "move it with advance(by:)",
      "work of flow_1 waits for a viewer: attach one with setRenderer(isAttached: true)", "work is running: of sleepy",
    ] { #expect(text.contains(part), "\(part) is missing: \(text)") }
    #expect(!text.contains("release()"))
    try await flow.cancel()
    let ended = await #expect(throws: TestFlow.Misuse.self) { _ = try await flow.state(within: .milliseconds(1)) { _ in false } }
    #expect(ended?.description.hasSuffix("shown: nothing; the flow has ended: cancelled") == true, "\(ended?.description ?? "")")
  }
}
