import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Rule 1: Outputs and messages through several coordinators", .timeLimit(.minutes(5)))
struct Rule1RelayTests {
  private let record = Relay.Record()

  private func start(depth: Int) async throws -> TestFlow {
    try await TestFlow.start(input: ["depth": .integer(Int64(depth))]) { [record] in Relay(record: record) }
  }

  /// Sends an event to the coordinator at a depth, from no screen.
  private func send(_ event: String, _ argument: String = "", at depth: Int, in flow: TestFlow) async throws {
    let path = (1..<depth).reduce(flow.tree.root) { path, _ in path.child("relay_1") }
    try await flow.sendWithoutScreen(event, ["a": .string(argument)], to: path)
  }

  /// The words that each coordinator has heard, from the root down.
  private func heard(_ flow: TestFlow) async throws -> [String] { try await flow.screens.map(\.content.title) }

  @Test("Rule 1: A refusal by a child of its parent's message drops the whole transition, and is the reply")
  func refusedMessageDropsEverything() async throws {
    let flow = try await start(depth: 3)
    let before = try await flow.state.revision
    await #expect(throws: CallError.refused(.denied("not now"))) { try await send("tell", "no", at: 2, in: flow) }
    #expect(record.delivered == ["told", "no"])
    #expect(try await heard(flow) == ["", "", ""])
    #expect(try await flow.state.revision == before)
    try await send("tell", "yes", at: 2, in: flow)
    #expect(try await heard(flow) == ["told", "told", "yes"])
  }

  @Test("Rule 1: Values for the parent and messages for a child are delivered in the order in which they were sent")
  func deliveredFirstSentFirst() async throws {
    let flow = try await start(depth: 3)
    try await send("both", at: 2, in: flow)
    #expect(record.delivered == ["a-up", "a-down", "b-up", "b-down", "c-up", "c-down"])
  }

  @Test("Rule 1: What each coordinator passes on comes after what was sent before")
  func passedOnComesLater() async throws {
    let flow = try await start(depth: 4)
    try await send("both", at: 3, in: flow)
    #expect(
      record.delivered == ["a-up", "a-down", "b-up", "b-down", "c-up", "c-down", "a-up", "b-up", "c-up"])
  }

  @Test("Rule 1: A value is passed on from the lowest coordinator of the deepest tree to its root in one transition")
  func valueReachesTheRoot() async throws {
    let depth = Limits().maxDepth
    let flow = try await start(depth: depth)
    #expect(try await flow.coordinators.count == depth)
    let before = try await flow.state.revision
    try await send("say", "hello", at: depth, in: flow)
    #expect(record.delivered == Array(repeating: "hello", count: depth - 1))
    #expect(try await heard(flow) == Array(repeating: "hello", count: depth - 1) + [""])
    #expect(try await flow.state.revision == before + 1)
  }

  @Test("Rule 1: A value that a coordinator emits because the user went back is delivered, also if that ends it")
  func valueOnTheWayBackIsDelivered() async throws {
    let flow = try await start(depth: 2)
    try await send("turn", at: 2, in: flow)
    try await flow.back()
    #expect(try await heard(flow) == ["left-2", ""])
    let before = try await flow.state.revision
    try await flow.back()
    #expect(try await heard(flow) == ["left-2 left-1 cancelled"])
    #expect(try await flow.state.revision == before + 1)
    #expect(try await flow.coordinators == ["flow_1"])
  }
}
