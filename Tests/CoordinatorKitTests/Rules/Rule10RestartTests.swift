import CoordinatorKit
import CoordinatorTestKit
import TestBus
import Testing

@Suite("Rule 10: Trees after a restart", .timeLimit(.minutes(5)))
struct Rule10RestartTests {
  @Test("Rule 10: IDs, paths, screens, values, styles, messages, and the revision are the same after a restart")
  func restartRestoresTheWholeTree() async throws {
    let flow = try await TestFlow.probe("first", "second")
    try await flow.tell(.note, "a note")
    try await flow.tell(.child, "modal")
    try await flow.tell(.child)
    try await flow.tell(flow.path("probe_1"), .form)
    try await flow.tell(flow.path("probe_1"), .endChild)
    _ = try await flow.tell(flow.path("probe_1"), .finish, "word")
    try await flow.tell(.modal, "third")
    try await flow.send("attach")
    let before = try await flow.state
    let after = try await flow.restarted().state
    #expect(after.revision == before.revision)
    #expect(after.outcomes == before.outcomes)
    #expect(after.coordinatorsInOrder.map(\.path) == before.coordinatorsInOrder.map(\.path))
    #expect(after.coordinatorsInOrder.map(\.children) == before.coordinatorsInOrder.map(\.children))
    #expect(after.coordinatorsInOrder.map(\.startedAt) == before.coordinatorsInOrder.map(\.startedAt))
    #expect(after.window.screens.map(\.id) == before.window.screens.map(\.id))
    #expect(after.window.screens.map(\.content) == before.window.screens.map(\.content))
    #expect(after.window.screens.map(\.messages) == before.window.screens.map(\.messages))
    #expect(after.window.screens.map(\.style) == before.window.screens.map(\.style))
    #expect(after.window.screens.map(\.layer) == before.window.screens.map(\.layer))
    #expect(after.window.screens.map(\.back) == before.window.screens.map(\.back))
    #expect(after.window.screens.map(\.changedAt) == before.window.screens.map(\.changedAt))
  }

  /// A flow with a child for each of twenty numbers; each says when its coordinator is made.
  private actor Numbered: Coordinator {
    enum Route: Codable { case only }
    struct Input: Codable { var number: Int? }
    static let flow = FlowDescription(
      "numbered", title: "Numbered", input: Form(Field("number", .integer(title: "Number"), isRequired: false)))
    let context = Context()
    private let shown: Record<Int>

    init(shown: Record<Int>) { self.shown = shown }

    func start() throws {
      router.present(.only)
      guard input.number == nil else { return }
      for number in 1...20 { try startChild(Numbered.self, input: Input(number: number)) }
    }

    func screen(for route: Route) -> Screen {
      shown.append(input.number ?? 0)
      return .message("only", title: "Only")
    }

    func receive(_ event: Event, on route: Route) throws { throw event.notTaken }
  }

  @Test("Rule 10: After a restart, coordinators are made in the order in which they were started")
  func coordinatorsAreMadeInOrder() async throws {
    let shown = Record<Int>()
    let flow = try await TestFlow.start { Numbered(shown: shown) }
    let before = shown.values.count
    _ = try await flow.restarted()
    #expect(Array(shown.values.dropFirst(before)) == Array(0...20))
  }

  @Test("Rule 10: Names and IDs continue after a restart and are never used twice")
  func namesAndIDsContinueAfterRestart() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    try await flow.tell(.endChild)
    let restarted = try await flow.restarted()
    try await restarted.tell(.child)
    #expect(try await restarted.coordinators == ["flow_1", "flow_1/probe_2"])
    #expect(try await restarted.top.id == ScreenID(3))
  }

  @Test("Rule 10: A repeated request gets its first answer again after a restart")
  func repeatedRequestIsAnsweredAfterRestart() async throws {
    let flow = try await TestFlow.probe()
    let note = { (number: Int64) in
      TreeCall.delegate(flow.tree.root, screen: nil, event: "note", payload: ["a": .string("\(number)")], seen: nil)
    }
    for number in 1...70 { try await flow.call(note(Int64(number)), key: "key-\(number)") }
    await #expect(throws: CallError.requestReused("key-7")) { try await flow.call(note(70), key: "key-7") }
    let restarted = try await flow.restarted()
    let last = note(70)
    #expect(try await restarted.call(last, key: "key-70") == .revision(71))
    for key in ["key-7", "key-70"] {
      await #expect(throws: CallError.requestReused(key)) {
        try await restarted.call(.dismiss(flow.tree.root, animated: true), key: key)
      }
    }
    // A request whose key was forgotten is carried out.
    #expect(try await restarted.call(last, key: "key-1") == .revision(72))
  }

  @Test("Rule 10: Work that was running begins again after a restart")
  func runningWorkRestarts() async throws {
    let gates = Gates()
    let flow = try await TestFlow.probe(gates: gates)
    try await flow.tell(.work, "gate")
    let restarted = try await flow.restarted()
    gates.open("gate", saying: "again")
    _ = await restarted.renderer.state { $0.window.top?.content.body == "work=again" }
    #expect(restarted.tree.runningWork == 0)
  }

  @Test("Rule 10: Work with a secret is not repeated after a restart, which by default fails its coordinator")
  func workWithSecretFailsAfterRestart() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    try await flow.tell(flow.path("probe_1"), .secretWork, "gate")
    let restarted = try await flow.restarted()
    let state = await restarted.renderer.state { $0.outcomes[flow.path("probe_1")] != nil }
    #expect(
      state.outcomes[flow.path("probe_1")]
        == .failed(Failure(code: "interrupted", message: "the work was interrupted by a restart")))
    #expect(state.isAlive)
  }

  @Test("Rule 10: A store receives only changes and can rebuild the whole tree from them")
  func storeRebuildsTreeFromChanges() async throws {
    let gates = Gates()
    var catalogue = FlowCatalogue()
    try catalogue.add { Probe(gates: gates) }
    let store = KeepingStore(catalogue)
    let flow = try await TestFlow.start("probe", in: catalogue, store: store)
    let child = flow.path("probe_1")
    try await flow.tell(.push, "second")
    try await flow.tell(.child, "modal")
    try await flow.tell(child, .note, "n")
    try await flow.tell(child, .work, "gate")
    try await flow.tell(child, .cancelWork)
    try await flow.tell(child, .child)
    try await flow.send("up")
    try await flow.tell(child, .replace, "other")
    try await flow.back()
    await #expect(throws: CallError.self) { try await flow.tell(.refuse) }
    try await flow.tell(.root, "new")
    #expect(try await flow.coordinators == ["flow_1"])
    #expect(await store.commits == 11)
    await #expect(throws: CallError.self) { try await flow.tell(.fail) }
    #expect(await store.commits == 12)
    var failed = Occasion(.delegate, coordinator: flow.tree.root, name: "fail")
    failed.failure = await store.occasions.last?.failure
    #expect(await store.occasions.last == failed)
    #expect(failed.failure != nil)
  }

  @Test("Rule 3: A transition that cannot be stored does not happen")
  func unstoredTransitionDoesNotHappen() async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { Probe() }
    let store = KeepingStore(catalogue)
    let flow = try await TestFlow.start("probe", in: catalogue, store: store)
    await store.setFull(true)
    await #expect(throws: CallError.notStored("Full()")) { try await flow.tell(.note, "lost") }
    #expect(try await flow.top.content.body == "")
    await store.setFull(false)
    #expect(try await flow.tell(.note, "kept") == .revision(2))
    #expect(try await flow.top.content.body == "kept")
  }

  @Test("Rule 10: The result of work is not lost because it could not be stored at first")
  func workResultSurvivesFailedStore() async throws {
    let gates = Gates()
    var catalogue = FlowCatalogue()
    try catalogue.add { Probe(gates: gates) }
    let store = FailingOnce()
    let flow = try await TestFlow.start("probe", in: catalogue, store: store)
    try await flow.tell(.work, "gate")
    await store.fail()
    gates.open("gate", saying: "kept")
    _ = await flow.renderer.state { $0.window.top?.content.body == "work=kept" }
    #expect(await store.failures == 1)
  }

  private actor FailingOnce: TransitionStore {
    private var isFailing = false
    private(set) var failures = 0

    func fail() { isFailing = true }

    func commit(_ publication: Publication) throws {
      guard isFailing else { return }
      isFailing = false
      failures += 1
      throw KeepingStore.Full()
    }
  }
}
