import CoordinatorKit
import CoordinatorTestKit
import Testing

@testable import CoordinatorJournal

@Suite("The history in a journal", .timeLimit(.minutes(5)))
struct HistoryTests {
  let shelf: Shelf

  init() throws { shelf = try Shelf() }

  private func numbers(_ journal: Journal) async throws -> [UInt64] {
    try await journal.database.perform { try $0.rows("SELECT id FROM history ORDER BY id") { try $0.number(0) } }
  }

  @Test("The history forgets its oldest entries in batches", arguments: [1, 100, 300])
  func oldestEntriesAreForgottenInBatches(_ limit: Int) async throws {
    let journal = try shelf.open()
    let highest = try await journal.database.perform { db in
      let writer = HistoryWriter(db: db, limit: limit)
      return try (1...1_024).reduce(0) { highest, revision in
        try writer.write(.sample("counter_1", revision: UInt64(revision)))
        return max(highest, Int(try db.number("SELECT count(*) FROM history") ?? 0))
      }
    }
    #expect(highest == limit + 255)
    #expect(try await numbers(journal) == Array((1_025 - UInt64(limit))...1_024))
  }

  @Test("No history is kept if its limit is 0")
  func historyIsOffWithLimitZero() async throws {
    let journal = try shelf.open(maxHistory: 0)
    let (flow, _) = try await shelf.start("counter_1", 1, in: journal)
    try await flow.send("count")
    #expect(try await numbers(journal).isEmpty)
  }

  @Test("The history is trimmed after its limit was lowered", arguments: [0, 3])
  func loweredLimitTrimsHistory(_ limit: Int) async throws {
    var journal = try shelf.open()
    for number in UInt64(1)...10 { try await journal.start(.sample("counter_\(number)", number)) }
    journal.close()
    journal = try shelf.open(maxHistory: limit)
    // Opening the journal changes nothing; reading the roots trims the history.
    #expect(try await journal.roots().live.count == 10)
    #expect(try await numbers(journal) == Array((1...10).suffix(limit)))
  }

  @Test("The history holds nothing that a user typed")
  func historyHoldsNothingTyped() async throws {
    let journal = try shelf.open()
    var catalogue = FlowCatalogue()
    try catalogue.add { Asker() }
    let root = StoredRoot.sample("asker_1", 1)
    let store = journal.store(of: root, in: catalogue)
    let flow = try await TestFlow.start(
      "asker", input: ["greeting": "typed-at-start"], in: catalogue, root: "asker_1", store: store)
    try await flow.send("submit", ["word": "typed-in-a-form", "secret": "typed-as-a-secret"], key: "typed-key")
    let rows = try await journal.database.perform { db in
      try db.rows("SELECT json_array(root, kind, coordinator, name, user, sender, outcome) FROM history") { try $0.text(0) }
    }
    #expect(rows.count == 2)
    #expect(rows.allSatisfy { !$0.contains("typed") }, "\(rows)")
    // The secret is not in any file.
    journal.close()
    #expect(try !shelf.contains("typed-as-a-secret"))
    #expect(try shelf.contains("typed-in-a-form"))
  }
}

/// A flow that asks for a word and a secret, and keeps the word.
private actor Asker: Coordinator {
  static let flow = FlowDescription("asker", title: "Asker", input: Form(Field("greeting", .string(title: "Greeting"))))
  struct Input: Codable { var greeting: String }
  enum Route: Codable { case main }
  struct State: FlowState { var word = "" }

  let context = Context()

  func start() { router.present(.main) }

  func screen(for route: Route) -> Screen {
    .form(
      "main", title: Text(verbatim: input.greeting),
      form: Form(Field("word", .string(title: "Word")), Field("secret", .secret(title: "Secret"))),
      actions: [Action("submit", "Go on", role: .primary)])
  }

  func receive(_ event: Event, on route: Route) throws { state.word = event.payload.string("word") ?? "" }
}
