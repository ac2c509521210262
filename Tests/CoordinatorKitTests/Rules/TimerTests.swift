import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Timers and keyed work", .timeLimit(.minutes(5)))
struct TimerTests {
  @Test("A timer goes off at its time, not before, and its screen counts down to it")
  func goesOffAtItsTime() async throws {
    let flow = try await TestFlow.start { Offer() }
    #expect(try await flow.top.content.until == Timestamp(microseconds: 30_000_000))
    #expect(try await flow.top.content.elapses == 30_000_000)
    try await flow.advance(by: .seconds(29))
    #expect(try await flow.names == ["offer"])
    try await flow.advance(by: .seconds(1))
    #expect(try await flow.names == ["offer", "ended"])
    #expect(try await flow.screens.first?.content.until == nil)
  }

  @Test("A screen that counts down to a time of the wall clock names that alone")
  func countsDownToTime() async throws {
    let flow = try await TestFlow.start { Appointment() }
    #expect(try await flow.top.content.until == Timestamp(microseconds: 30_000_000))
    #expect(try await flow.top.content.elapses == nil)
  }

  @Test("An equal timer is started anew, and a stopped one never goes off")
  func isReplacedAndStopped() async throws {
    let flow = try await TestFlow.start { Offer() }
    try await flow.send("more")
    try await flow.advance(by: .seconds(59))
    #expect(try await flow.names == ["offer"])
    try await flow.send("stop")
    try await flow.advance(by: .seconds(100))
    #expect(try await flow.names == ["offer"])
  }

  @Test("Timers fire in the order of their times, each in a separate transition")
  func goOffInOrder() async throws {
    let flow = try await TestFlow.start { Offer() }
    try await flow.send("remind")
    let before = try await flow.state.revision
    try await flow.advance(by: .seconds(25))
    #expect(try await flow.top.content.title == "reminder-1@10 reminder-2@20")
    #expect(try await flow.state.revision == before + 2)
  }

  @Test("A timer survives a restart, and goes off afterwards if its time passed meanwhile")
  func survivesRestart() async throws {
    let flow = try await TestFlow.start { Offer() }
    flow.clock.set(Timestamp(microseconds: 50_000_000))
    let restarted = try await flow.restarted()
    #expect(try await restarted.names == ["offer"])
    try await restarted.advance(by: .zero)
    #expect(try await restarted.names == ["offer", "ended"])
  }

  @Test("A timer whose handler fails ends its coordinator once")
  func failingHandlerEndsTheCoordinator() async throws {
    let flow = try await TestFlow.start { Offer() }
    try await flow.send("bad")
    await #expect(throws: CallError.self) { try await flow.advance(by: .seconds(2)) }
    #expect(try await flow.outcome == .failed(Failure(code: "bad", message: "bad timer")))
    #expect(await flow.tree.state.nextDue == nil)
  }

  @Test("Work with a key is replaced by other work with that key, and by no other")
  func keyedWorkIsReplaced() async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { Offer() }
    let flow = try await TestFlow.start("offer", in: catalogue, holdingWork: true)
    try await flow.send("search")
    #expect(try await flow.top.content.body == "a")
    try await flow.send("again")
    #expect(try await flow.top.content.body == "b")
    flow.work.open()
    let state = try await flow.state { $0.window.top?.content.title.split(separator: " ").count == 2 }
    #expect(state.window.top?.content.title.split(separator: " ").sorted() == ["b", "other"])
    #expect(state.window.top?.content.body == "")
  }

  @Test("Work with a key is cancelled alone")
  func keyedWorkIsCancelled() async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { Offer() }
    let flow = try await TestFlow.start("offer", in: catalogue, holdingWork: true)
    try await flow.send("search")
    try await flow.send("cancel")
    #expect(try await flow.top.content.body == "")
    flow.work.open()
    let state = try await flow.state { $0.window.top?.content.title.isEmpty == false }
    #expect(state.window.top?.content.title == "other")
  }

  @Test("A time too far away to be represented is the last one")
  func farTimesAreClamped() {
    let last = Timestamp(microseconds: UInt64(Int64.max))
    #expect(Timestamp(microseconds: 1) + .seconds(Int64.max) == last)
    #expect(Timestamp(microseconds: UInt64.max) + .microseconds(1) == last)
    #expect(Timestamp(microseconds: 5) + .seconds(-3) == Timestamp(microseconds: 5))
    #expect(Timestamp(microseconds: 5) + .milliseconds(2) == Timestamp(microseconds: 2_005))
  }
}

/// A flow that waits until a given time.
private actor Appointment: Coordinator {
  static let flow = FlowDescription("appointment", title: "Appointment")
  enum Route: Codable, Hashable { case waiting }
  enum Timer: Codable, Hashable { case begins }
  let context = Context()

  func start() throws {
    try startTimer(.begins, at: Timestamp(microseconds: 30_000_000))
    router.present(.waiting)
  }

  func screen(for route: Route) -> Screen { .message("waiting", title: "Waiting").countingDown(to: due(.begins)) }
  func timerFired(_ timer: Timer) { cancel() }
}
