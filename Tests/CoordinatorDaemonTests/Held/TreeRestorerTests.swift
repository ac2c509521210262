import CoordinatorJournal
import CoordinatorKit
import CoordinatorTestKit
import Platform
import Testing

@testable import CoordinatorDaemon

@Suite("Rule 10: Restoring stored trees", .timeLimit(.minutes(5)))
struct TreeRestorerTests {
  private static let roots = ["a", "b", "c"].enumerated().map { number, name in
    StoredRoot(
      name: name, sequence: UInt64(number + 1), lastNumber: 0, flow: "notebook", digest: Digest(of: name), hasToken: true)
  }

  /// Returns a restorer whose journal reads `stored`, and fails for the roots for which `fails` returns true.
  private func restorer(
    _ stored: [String: StoredTreeReading], in catalogue: FlowCatalogue,
    watch: TreeRestorer.Watch = ManualWatch().watch, fails: @escaping @Sendable ([String]) -> Bool = { _ in false }
  ) -> TreeRestorer {
    TreeRestorer(
      trees: { roots throws(JournalError) in
        guard !fails(roots.map(\.name)) else { throw .database("disk I/O error") }
        return stored.filter { name, _ in roots.contains { $0.name == name } }
      },
      environment: { _ in FlowTree.Environment(catalogue: catalogue, observer: RecordingRenderer(), now: { 0 }) },
      watch: watch)
  }

  private func trees(_ names: [String]) async throws -> [String: StoredTreeReading] {
    var trees: [String: StoredTreeReading] = [:]
    for name in names {
      let flow = try await TestFlow.start("notebook", in: .old(), root: name)
      trees[name] = .whole(try await StoredTree(flow.tree.state, in: .old()))
    }
    return trees
  }

  private func results(_ restorer: TreeRestorer) async -> [String] {
    await restorer.takeUp(Self.roots, restorer.readings(of: Self.roots)).map { root, result in
      switch result {
      case .takenUp(_, let state): "\(root.name): revision \(state.revision)"
      case .held(let outline, let reason): "\(root.name): \(outline.map { "\($0.coordinators.count) known, " } ?? "")\(reason)"
      }
    }
  }

  @Test("Rule 10: A tree that cannot be read is held without affecting others, and restored once it is readable")
  func unreadableTreeIsHeldAlone() async throws {
    let isBroken = Lock(true)
    let restorer = try restorer(await trees(["a", "b", "c"]), in: .old()) { isBroken.withLock(\.self) && $0.contains("b") }
    #expect(
      await results(restorer) == [
        "a: revision 1", "b: its stored state cannot currently be read: disk I/O error", "c: revision 1",
      ])
    isBroken.withLock { $0 = false }
    #expect(await results(restorer) == ["a: revision 1", "b: revision 1", "c: revision 1"])
  }

  @Test("Rule 10: A tree that is missing from a readable journal is held as incomplete")
  func missingTreeIsHeld() async throws {
    let restorer = try restorer(await trees(["a", "c"]), in: .old())
    #expect(
      await results(restorer) == ["a: revision 1", "b: the stored state is incomplete: b is missing", "c: revision 1"])
  }

  @Test("Rule 10: A tree with damaged rows or of another version is held with what is known of it")
  func damagedTreeIsHeldWithOutline() async throws {
    var stored = try await trees(["a", "b", "c"])
    guard case .whole(let tree)? = stored["b"] else {
      Issue.record("\(String(describing: stored["b"]))")
      return
    }
    stored["b"] = .damaged(tree.outline, reason: "its state")
    #expect(
      try await results(restorer(stored, in: .old())) == [
        "a: revision 1", "b: 1 known, its stored state cannot be read: its state", "c: revision 1",
      ])
    #expect(
      await results(restorer(stored, in: FlowCatalogue())) == [
        "a: 1 known, the flow notebook no longer exists", "b: 1 known, its stored state cannot be read: its state",
        "c: 1 known, the flow notebook no longer exists",
      ])
  }

  @Test("Rule 10: A flow that never returns from restoring a tree holds that tree and delays no other")
  func stuckRestoreHoldsOnlyItsTree() async throws {
    let watch = ManualWatch()
    let stored = try await trees(["a", "b", "c"])
    var catalogue = FlowCatalogue()
    try catalogue.add { SlowNotebook() }
    let obstacle = SlowNotebook.stop(at: 2)
    defer { obstacle.remove() }
    let restorer = restorer(stored, in: catalogue, watch: watch.watch)
    async let results = results(restorer)
    try await obstacle.waitForArrival()
    // The first look sees that the preceding tree was restored; the second sees no progress since then.
    watch.look()
    watch.look()
    #expect(
      await results == ["a: revision 1", "b: 1 known, restoring it took longer than 30.0 seconds", "c: revision 1"])
    #expect(!watch.isSet)
  }

  @Test("Trees are restored batch by batch, and the results of each batch are passed on before the next but one is read")
  func batchesFollowEachOther() async throws {
    let restorer = try restorer(try await trees(["a", "b", "c"]), in: .old())
    let passedOn = Box<[[String]]>([])
    let left = Box(Self.roots.dropFirst())
    await restorer.run([Self.roots[0]]) { results in
      passedOn.value.append(results.map(\.root.name))
      return left.value.popFirst().map { [$0] } ?? []
    }
    #expect(passedOn.value == [[], ["a"], ["b"], ["c"]])
  }

  @Test("Without any tree, nothing is read, and the restoration ends at once")
  func nothingToRestoreEndsAtOnce() async throws {
    let count = Box(0)
    await (try restorer([:], in: .old())).run([]) { results in
      count.value += 1
      #expect(results.isEmpty)
      return []
    }
    #expect(count.value == 1)
  }
}
