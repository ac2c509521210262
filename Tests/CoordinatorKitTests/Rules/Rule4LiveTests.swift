import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Rule 4: Live values", .timeLimit(.minutes(5)))
struct Rule4LiveTests {
  private let air = Scanner.Air()

  private func start(store: (any TransitionStore)? = nil, isWatched: Bool = true) async throws -> TestFlow {
    var catalogue = FlowCatalogue()
    try catalogue.add { [air] in Scanner(air: air) }
    let flow = try await TestFlow.start("scanner", in: catalogue, store: store)
    flow.setRenderer(isAttached: isWatched)
    return flow
  }

  private func show(_ names: [String], in flow: TestFlow) async throws {
    air.find(names)
    _ = try await flow.state { $0.window.screens.first?.content.items?.map(\.id) == names }
  }

  @Test("Rule 4: What work reports is shown without a commit, a revision or history")
  func nothingIsStored() async throws {
    let store = CountingStore()
    let flow = try await start(store: store)
    let before = (revision: try await flow.state.revision, commits: await store.commits)
    for count in 1...20 { try await show((1...count).map { "net-\($0)" }, in: flow) }
    #expect(try await flow.state.revision == before.revision)
    #expect(await store.commits == before.commits)
    #expect(await flow.renderer.log.contains { if case .live(_, [.title, .items]) = $0 { true } else { false } })
  }

  @Test("Rule 4: An answer is checked against what is shown now")
  func answersAreCheckedAgainstWhatIsShown() async throws {
    let flow = try await start()
    try await show(["a", "b"], in: flow)
    try await show(["b", "c"], in: flow)
    await #expect(throws: CallError.invalidPayload(["id": "is not in the list"])) { try await flow.select("a") }
    try await flow.select("b")
    #expect(try await flow.top.content.title == "b")
  }

  @Test("Rule 4: After a restart the screen is there without its live part, until the work reports again")
  func restartForgetsLiveValues() async throws {
    let flow = try await start()
    try await show(["a"], in: flow)
    let restarted = try await flow.restarted()
    #expect(try await restarted.top.content.items == [])
  }

  @Test("Rule 4: A transition keeps the live part, and the end of the work removes it")
  func transitionsKeepLiveValues() async throws {
    let flow = try await start()
    try await show(["a"], in: flow)
    try await flow.send("nothing")
    #expect(try await flow.top.content.items?.map(\.id) == ["a"])
    try await flow.send("stop")
    #expect(try await flow.top.content.items == [])
  }

  @Test("Rule 4: A value that cannot be shown is not kept either, so that later events are not refused because of it")
  func valueThatCannotBeShownIsDropped() async throws {
    let flow = try await start()
    try await show(["a"], in: flow)
    air.find((0...10_000).map { "net-\($0)" })
    try await show(["b"], in: flow)
    try await flow.send("nothing")
    #expect(try await flow.top.content.items?.map(\.id) == ["b"])
  }

  @Test("Rule 4: Work pauses without a viewer: no renderer is attached, or another screen is on top")
  func workPausesUnwatched() async throws {
    let flow = try await start(isWatched: false)
    air.find(["a"])
    #expect(try await flow.top.content.items == [])
    flow.setRenderer(isAttached: true)
    _ = try await flow.state { $0.window.top?.content.items?.count == 1 }
    try await flow.select("a")
    air.find(["a", "b"])
    try await flow.back()
    _ = try await flow.state { $0.window.top?.content.items?.count == 2 }
  }
}

/// Counts what is stored.
private actor CountingStore: TransitionStore {
  private(set) var commits = 0
  func commit(_ publication: Publication) { commits += 1 }
}
