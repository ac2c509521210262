import CoordinatorKit
import CoordinatorTestKit
import TestFlows
import Testing

@testable import CoordinatorJournal

@Suite("Journals", .timeLimit(.minutes(5)))
struct JournalTests {
  let shelf: Shelf

  init() throws { shelf = try Shelf() }

  @Test("Rule 10: A journal restores every tree as it was when its last transition was answered")
  func everyTreeIsRestoredAsAnswered() async throws {
    var journal = try shelf.open()
    let (flow, root) = try await shelf.start("counter_1", 1, in: journal)
    for event in ["count", "push", "say", "child", "count", "work", "child", "push", "say"] { try await flow.send(event) }
    try await flow.send("finish")
    try await flow.send("count", key: "key")
    try await flow.send("say")
    let expected = try await StoredTree(flow.tree.state, in: shelf.catalogue)
    journal.close()
    journal = try shelf.open()
    #expect(try await journal.roots().live == [root])
    #expect(try await journal.tree(of: root)?.inOrder == expected.inOrder)
    // Every table has rows.
    #expect(expected.coordinators.contains { !$0.work.isEmpty })
    #expect(expected.screens.contains { !$0.attached.isEmpty })
    #expect(expected.outcomes.count == 1)
    #expect(expected.requests.count == 1)
  }

  @Test("Rule 1: A journal restores children in start order, including the tenth")
  func childrenAreRestoredInStartOrder() async throws {
    let journal = try shelf.open()
    let (flow, root) = try await shelf.start("counter_1", 1, in: journal)
    for _ in 0..<11 {
      try await flow.call(.startChild(flow.tree.root, flow: "counter", input: [:], router: .navigation))
    }
    let stored = try #require(try await journal.tree(of: root))
    let environment = FlowTree.Environment(catalogue: shelf.catalogue, observer: RecordingRenderer(), now: { 0 })
    let (_, state) = try await FlowTree.restore(stored, environment: environment)
    #expect(state.coordinators[flow.tree.root]?.children.map { String($0.name) } == (1...11).map { "counter_\($0)" })
  }

  @Test("A journal keeps the outcomes of a tree's newest thousand ended children in the order of their ends")
  func newestThousandChildOutcomesAreKept() async throws {
    var journal = try shelf.open()
    let (flow, root) = try await shelf.start("counter_1", 1, in: journal)
    for number in 1...1_010 {
      try await flow.call(.startChild(flow.tree.root, flow: "counter", input: [:], router: .navigation))
      try await flow.call(.dismiss(flow.tree.root.child("counter_\(number)"), animated: true))
    }
    journal.close()
    journal = try shelf.open()
    let outcomes = try #require(try await journal.tree(of: root)?.outcomes)
    #expect(outcomes.map(\.path) == (11...1_010).map { flow.tree.root.child("counter_\($0)") })
    let state = await flow.tree.state
    #expect(outcomes == state.outcomes.inOrder)
    let rows = try await journal.database.perform { try $0.number("SELECT count(*) FROM ended_child") }
    #expect(rows == 1_000)
  }

  @Test("A journal keeps how a root was requested")
  func startRequestOfRootIsKept() async throws {
    var journal = try shelf.open()
    var root = StoredRoot.sample("mine", 7, lastNumber: 3)
    root.hasToken = true
    root.owner = StoredRoot.Owner(name: ":1.42", bus: "0123")
    root.timeout = FlowTimeout(7, from: Moment(wall: 1_700_000_000_000_000, elapsed: ElapsedTime(boot: 5, microseconds: 3)))
    try await journal.start(root)
    journal.close()
    journal = try shelf.open()
    let roots = try await journal.roots()
    #expect(roots.live == [root])
    #expect(roots.lastNumber == 3)
    #expect(roots.lastSequence == 7)
  }

  @Test("A journal restores roots in start order, and keeps the outcome and answers of an ended root")
  func endedRootKeepsOutcomeAndAnswers() async throws {
    var journal = try shelf.open()
    let (first, _) = try await shelf.start("counter_1", 1, in: journal)
    let (_, second) = try await shelf.start("b", 2, in: journal)
    let (_, third) = try await shelf.start("a", 3, in: journal)
    try await first.send("count", key: "one")
    try await first.send("finish", key: "two")
    journal.close()
    journal = try shelf.open()
    let roots = try await journal.roots()
    #expect(roots.live.map(\.name) == [second.name, third.name])
    let end = try #require(roots.ended.first)
    #expect(end.root.name == "counter_1")
    #expect(end.outcome == .finished(["count": 1]))
    let answers = try RequestLedger(end.requests)
    #expect(end.requests.count == 2)
    #expect(throws: CallError.requestReused("two")) {
      try answers.answer(to: .dismiss(first.tree.root, animated: true), key: "two")
    }
    #expect(try await journal.trees(of: [end.root]).isEmpty)
  }

  @Test("Rule 10: A held tree ends as dismissed by its caller, with that answer after the earlier ones")
  func endedHeldTreeKeepsItsAnswers() async throws {
    var journal = try shelf.open()
    let (flow, root) = try await shelf.start("counter_1", 1, in: journal)
    for key in ["one", "two"] { try await flow.send("count", key: key) }
    let stored = try #require(try await journal.tree(of: root))
    var ledger = RequestLedger(readable: stored.requests)
    let dismissal = TreeCall.dismiss(flow.tree.root, animated: true)
    let entry = try ledger.keep(.revision(3), to: dismissal, key: "end")
    // The holder of the tree counts only the readable answers.
    let change = StoredChange(
      dismissing: stored.outline, flow: "counter", request: StoredRequest(key: "end", number: 1, entry: entry),
      by: Caller(user: 7, name: ":1.9"), at: 5)
    try await journal.end(root, change)
    journal.close()
    journal = try shelf.open()
    let roots = try await journal.roots()
    #expect(roots.live.isEmpty)
    let end = try #require(roots.ended.first)
    #expect(end.root == root)
    #expect(end.outcome == .cancelled)
    #expect(end.requests.sorted { $0.number < $1.number }.map(\.key) == ["one", "two", "end"])
    #expect(try RequestLedger(end.requests).answer(to: dismissal, key: "end") == .revision(3))
    #expect(try await journal.trees(of: [root]).isEmpty)
    journal.close()
    let last = try #require(try HistoryReader(directory: shelf.directory).page().entries.last)
    #expect(last.occasion == Occasion(.dismiss, coordinator: flow.tree.root, caller: Caller(user: 7, name: ":1.9")))
    #expect(last.outcome == "cancelled")
    #expect(last.revision == stored.counters.revision)
  }

  @Test("A root with an unreadable row can be ended, and is then readable but matches no request")
  func endedDamagedRootIsReadableAgain() async throws {
    var journal = try shelf.open()
    let root = StoredRoot.sample("mine", 1)
    try await journal.start(root)
    let damaged = DamagedRoot(name: "mine", sequence: 1, flow: "counter", hasToken: true, reason: "its digest")
    let outline = TreeOutline(root: CoordinatorPath(root: "mine"))
    try await journal.end(
      damaged.asEnded, StoredChange(dismissing: outline, flow: damaged.flow, request: nil, by: nil, at: 5))
    journal.close()
    journal = try shelf.open()
    let end = try #require(try await journal.roots().ended.first)
    #expect(end.root.name == "mine")
    #expect(end.root.hasToken)
    #expect(end.root.digest != root.digest)
    #expect(end.outcome == .cancelled)
  }

  @Test("A closed journal refuses stores and reads with 'closed', however often it is closed")
  func closedJournalRefusesEverything() async throws {
    let journal = try shelf.open()
    let (flow, root) = try await shelf.start("counter_1", 1, in: journal)
    journal.close()
    journal.close()
    await #expect(throws: CallError.notStored("the journal is closed")) { try await flow.send("count") }
    await #expect(throws: JournalError.closed) { try await journal.end(root) }
    await #expect(throws: JournalError.closed) { try await journal.roots() }
    #expect(try await flow.top.content.title == "0.0")
  }
}
