import CoordinatorKit
import Foundation
import TestBus
import TestFlows
import Testing

@testable import CoordinatorJournal
@testable import CoordinatorTestKit

@Suite("Rule 10: Random events in many trees", .timeLimit(.minutes(5)))
struct RandomTests {
  /// Trees that random events happen to, and the journal that stores them.
  private struct Trees {
    let shelf: Shelf
    var dice: SeededGenerator
    var journal: Journal
    var flows: [(root: StoredRoot, flow: TestFlow)] = []
    var ended: [String: Outcome] = [:]
    var started: UInt64 = 0

    init(seed: UInt64) throws {
      shelf = try Shelf()
      dice = SeededGenerator(seed: seed)
      journal = try shelf.open()
    }

    mutating func start() async throws {
      started += 1
      let (flow, root) = try await shelf.start("counter_\(started)", started, in: journal)
      flows.append((root, flow))
    }

    /// Starts a tree, or sends a random event to one of them.
    mutating func happen() async throws {
      guard flows.count < 12, Int.random(in: 0..<8, using: &dice) > 0, let (root, flow) = flows.randomElement(using: &dice) else {
        if flows.count == 12 { flows.removeAll { ended[$0.root.name] != nil } }
        return try await start()
      }
      let key = Bool.random(using: &dice) ? "key-\(Int.random(in: 0..<200, using: &dice))" : nil
      let event = Counter.events.randomElement(using: &dice) ?? "count"
      switch Int.random(in: 0..<10, using: &dice) {
      case 0: _ = try? await flow.back()
      case 1:
        _ = try? await flow.cancel(flow.tree.state.coordinators.keys.sorted { $0.text < $1.text }.randomElement(using: &dice))
      // Some are refused: a state that cannot be encoded, or a key that was used for another call.
      default: _ = try? await flow.send(event, key: key)
      }
      let state = await flow.tree.state
      guard !state.isAlive else { return }
      ended[root.name] = state.outcomes[state.root]
      flows.removeAll { $0.root.name == root.name }
    }

    /// Compares the contents of a journal with the live and ended trees.
    func check(_ journal: Journal) async throws {
      let roots = try await journal.roots()
      #expect(roots.live.map(\.name) == flows.map(\.root.name))
      #expect(roots.lastNumber == started)
      #expect(Dictionary(uniqueKeysWithValues: roots.ended.map { ($0.root.name, $0.outcome) }) == ended)
      let trees = try await journal.wholeTrees(of: roots.live)
      for (root, flow) in flows {
        let state = await flow.tree.state
        #expect(try trees[root.name]?.inOrder == StoredTree(state, in: shelf.catalogue).inOrder)
      }
    }

    /// Reopens the journal, checks it (sometimes also as a kill would have left it), and restores the trees from it.
    mutating func restart() async throws {
      if Bool.random(using: &dice) {
        let copy = try await shelf.copy(of: journal)
        try await check(copy.open())
      }
      journal.close()
      journal = try shelf.open()
      #expect(journal.notices.isEmpty)
      try await check(journal)
      let trees = try await journal.wholeTrees(of: flows.map(\.root))
      for (index, (root, flow)) in flows.enumerated() {
        let stored = try #require(trees[root.name])
        flow.tree.forget()
        let renderer = RecordingRenderer()
        let environment = FlowTree.Environment(
          catalogue: shelf.catalogue, observer: renderer, store: journal.store(of: root, in: shelf.catalogue), now: { 0 })
        let (tree, state) = try await FlowTree.restore(stored, environment: environment)
        await renderer.show(state)
        flows[index] = (root, TestFlow(tree: tree, renderer: renderer))
      }
    }
  }

  @Test(
    "Rule 10: The journal matches randomly driven trees at every restart, and they continue from it",
    arguments: 0..<8 as Range<UInt64>)
  func journalMatchesTreesAtEveryRestart(_ seed: UInt64) async throws {
    var trees = try Trees(seed: seed)
    for _ in 0..<6 {
      for _ in 0..<Int.random(in: 1...40, using: &trees.dice) { try await trees.happen() }
      try await trees.restart()
    }
    for (_, flow) in trees.flows { flow.tree.forget() }
  }

  @Test(
    "Rule 10: A copy of the files between commits has every answered transition and at most one more per tree",
    arguments: [1] as [UInt64])
  func copyBetweenCommitsHasEveryAnswer(seed: UInt64) async throws {
    var dice = SeededGenerator(seed: seed)
    let shelf = try Shelf()
    let journal = try shelf.open()
    let flows = try await (UInt64(1)...5).asyncMap { try await shelf.start("counter_\($0)", $0, in: journal).0 }
    let last = try #require(flows.last)
    try await withThrowingTaskGroup { group in
      for flow in flows.dropLast() {
        group.addTask { while !Task.isCancelled { try await flow.send("count") } }
      }
      for _ in 0..<10 {
        for _ in 0..<Int.random(in: 1...20, using: &dice) { try await last.send("count") }
        let before = try await flows.asyncMap { try await $0.state.revision }
        let copy = try await shelf.copy(of: journal)
        let after = try await flows.asyncMap { try await $0.state.revision }
        let copied = try copy.open()
        let trees = try await copied.wholeTrees(of: copied.roots().live)
        for (index, flow) in flows.enumerated() {
          let tree = try #require(trees[flow.tree.root.text])
          #expect(tree.counters.revision >= before[index])
          #expect(tree.counters.revision <= after[index] + 1)
          #expect(tree.coordinators.map(\.state) == [#"{"count":\#(tree.counters.revision - 1)}"#])
        }
      }
      group.cancelAll()
    }
  }
}

extension Sequence where Element: Sendable {
  fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
