import CoordinatorKit
import CoordinatorTestKit
import Platform
import Testing

@Suite("Rule 4: A day of live values", .timeLimit(.minutes(5)))
struct Rule4DayTests {
  @Test("Rule 4: A list that is refreshed every two seconds for a day commits nothing, and can be answered")
  func dayOfRefreshingCommitsNothing() async throws {
    let looks = Lock(0)
    var catalogue = FlowCatalogue()
    try catalogue.add { Radar(looks: looks) }
    let store = CountingStore()
    let flow = try await TestFlow.start("radar", in: catalogue, store: store)
    flow.setRenderer(isAttached: true)
    try await flow.advance(by: .zero)
    let before = (revision: try await flow.state.revision, commits: await store.commits)
    try await flow.advance(by: .seconds(24 * 60 * 60))
    #expect(looks.withLock(\.self) == 1 + 43_200)
    #expect(try await flow.top.content.items?.map(\.id) == ["43201"])
    #expect(await store.commits == before.commits)
    #expect(try await flow.state.revision == before.revision)
    #expect(flow.clock.now == Timestamp(microseconds: 24 * 60 * 60 * 1_000_000))
    try await flow.select("43201")
    #expect(try await flow.top.content.title == "43201")
    #expect(await store.commits == before.commits + 1)
  }
}

/// Counts what is stored.
private actor CountingStore: TransitionStore {
  private(set) var commits = 0
  func commit(_ publication: Publication) { commits += 1 }
}
