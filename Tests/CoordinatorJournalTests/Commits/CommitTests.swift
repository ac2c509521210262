import CoordinatorKit
import Platform
import TestFlows
import Testing

@testable import CoordinatorJournal

@Suite("Commits of a journal", .timeLimit(.minutes(5)))
struct CommitTests {
  let shelf: Shelf

  init() throws { shelf = try Shelf() }

  private typealias Results = [String: Result<Void, JournalError>]

  /// Adds steps while the database is busy, so that all of them wait together.
  ///
  /// - Returns: the result of each step, and the number of commits that they took.
  private func together(
    _ journal: Journal, _ steps: [(root: StoredRoot, step: @Sendable () throws -> PendingCommit.Step)]
  ) async throws -> (Results, commits: Int) {
    let before = try await journal.database.perform(\.commits)
    let results: Results = await withCheckedContinuation { continuation in
      let results = Lock(Results())
      journal.database.thread.post {
        for (root, step) in steps {
          journal.commits.add(
            PendingCommit(tree: root.sequence, encode: step) { result in
              let all = results.withLock { results in
                results[root.name] = result
                return results.count == steps.count ? results : nil
              }
              if let all { continuation.resume(returning: all) }
            })
        }
      }
    }
    return (results, try await journal.database.perform(\.commits) - before)
  }

  private static func roots(_ count: UInt64) -> [StoredRoot] { (1...count).map { .sample("counter_\($0)", $0) } }

  @Test("Transitions of many trees that arrive together share one commit")
  func concurrentTransitionsShareOneCommit() async throws {
    let journal = try shelf.open()
    let roots = Self.roots(64)
    let (results, commits) = try await together(
      journal, roots.map { root in (root, { .start(root, .sample(root.name, revision: 1)) }) })
    #expect(results.values.allSatisfy { (try? $0.get()) != nil })
    #expect(commits == 1)
    #expect(try await journal.roots().live == roots.map { StoredRoot.sample($0.name, $0.sequence, lastNumber: 64) })
  }

  @Test("Transitions that arrive one at a time are committed one at a time")
  func separateTransitionsCommitSeparately() async throws {
    let journal = try shelf.open()
    let before = try await journal.database.perform(\.commits)
    for root in Self.roots(3) { try await journal.start(root) }
    #expect(try await journal.database.perform(\.commits) == before + 3)
  }

  @Test("A transition that cannot be encoded fails alone, and the others still share one commit")
  func unencodableTransitionFailsAlone() async throws {
    struct NoJSON: Error {}
    let journal = try shelf.open()
    let roots = Self.roots(5)
    let (results, commits) = try await together(
      journal,
      roots.map { root in
        (root, { if root.sequence == 3 { throw NoJSON() } else { .start(root, .sample(root.name, revision: 1)) } })
      })
    #expect(commits == 1)
    #expect(throws: JournalError.cannotEncode("NoJSON()")) { try results["counter_3"]?.get() }
    #expect(try await journal.roots().live.map(\.sequence) == [1, 2, 4, 5])
  }

  @Test("A transition that the database refuses fails alone and leaves nothing behind")
  func refusedTransitionFailsAlone() async throws {
    let journal = try shelf.open()
    let roots = Self.roots(4) + [StoredRoot.sample("late", 2)]
    let (results, _) = try await together(
      journal, roots.map { root in (root, { .start(root, .sample(root.name, revision: 1)) }) })
    #expect(throws: JournalError.self) { try results["late"]?.get() }
    #expect(results.values.count { (try? $0.get()) != nil } == 4)
    #expect(try await journal.roots().live.map(\.name) == Self.roots(4).map(\.name))
    let history = try await journal.database.perform { try $0.number("SELECT count(*) FROM history") }
    #expect(history == 4)
  }

  @Test("A transition of a tree that was never stored is refused")
  func transitionOfUnknownTreeIsRefused() async throws {
    let journal = try shelf.open()
    await #expect(throws: JournalError.self) {
      try await journal.store(.sample("counter_1", revision: 2), of: .sample("counter_1", 1))
    }
  }

  @Test("A flow whose state cannot be encoded rolls back to its previous state and continues")
  func flowWithUnencodableStateRollsBack() async throws {
    let journal = try shelf.open()
    let (flow, root) = try await shelf.start("counter_1", 1, in: journal)
    await #expect {
      try await flow.send("break")
    } throws: { error in
      if case CallError.notStored(let reason) = error { reason.hasPrefix("the flow's state cannot be encoded") } else { false }
    }
    try await flow.send("count")
    #expect(try await flow.top.content.title == "1.0")
    #expect(try await journal.tree(of: root)?.inOrder == StoredTree(flow.tree.state, in: shelf.catalogue).inOrder)
  }

  @Test("A reader gets a turn between two commits, however many commits are waiting")
  func readerGetsTurnBetweenCommits() async throws {
    let journal = try shelf.open()
    let root = StoredRoot.sample("counter_1", 1)
    try await journal.start(root)
    // Each completed commit adds the next one.
    let stop = Lock(false)
    @Sendable func goOn(_ revision: UInt64) {
      guard !stop.withLock(\.self) else { return }
      journal.commits.add(
        PendingCommit(tree: 1, encode: { .change(.sample(root.name, revision: revision)) }) { _ in goOn(revision + 1) })
    }
    goOn(2)
    #expect(try await journal.tree(of: root) != nil)
    stop.withLock { $0 = true }
  }

  @Test("Closing a journal first stores the transitions that are waiting")
  func closingStoresWaitingCommits() async throws {
    var journal = try shelf.open()
    let roots = Self.roots(10)
    let results = Lock<[Bool]>([])
    let closing = journal
    await withCheckedContinuation { continuation in
      journal.database.thread.post {
        for root in roots {
          closing.commits.add(
            PendingCommit(tree: root.sequence, encode: { .start(root, .sample(root.name, revision: 1)) }) { result in
              results.withLock { $0.append((try? result.get()) != nil) }
            })
        }
        continuation.resume()
      }
    }
    journal.close()
    #expect(results.withLock(\.self) == [Bool](repeating: true, count: 10))
    journal = try shelf.open()
    #expect(try await journal.roots().live.count == 10)
  }
}
