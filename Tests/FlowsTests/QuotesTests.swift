import CoordinatorKit
import CoordinatorTestKit
@testable import Flows
import Testing

@Suite("The flow quotes", .timeLimit(.minutes(5)))
struct QuotesTests {
  private func listed(_ flow: TestFlow) async throws -> [String] {
    try await flow.screens[0].content.items?.map(\.id) ?? []
  }

  @Test("'quotes' lists at least ten quotes with their authors, and pushes the chosen one")
  func quotesAreListedAndShown() async throws {
    let flow = try await TestFlow.start("quotes", in: .builtIn())
    let items = try await flow.top.content.items ?? []
    #expect(items.count >= 10)
    #expect(items.map(\.id) == (1...items.count).map { "q\($0)" })
    #expect(items.allSatisfy { $0.subtitle?.isEmpty == false })
    try await flow.select("q3")
    #expect(try await flow.names == ["quotes", "quote"])
    #expect(try await flow.top.content.body == items[2].title)
    try await flow.back()
    #expect(try await flow.names == ["quotes"])
  }

  @Test("The settings of quotes are a modal layer, and the list follows a new order at once")
  func listFollowsTheNewOrderAtOnce() async throws {
    let flow = try await TestFlow.start("quotes", in: .builtIn())
    let original = try await listed(flow)
    try await flow.send("settings")
    #expect(try await flow.top.style == .modal)
    #expect(try await flow.top.content.kind == .form)
    #expect(try await flow.top.content.values == ["order": "original"])
    try await flow.send("done", ["order": "author"])
    #expect(try await flow.names == ["quotes"])
    let authors = try await flow.top.content.items?.compactMap(\.subtitle) ?? []
    #expect(authors == authors.sorted())
    #expect(try await listed(flow).sorted() == original.sorted())
    try await flow.send("settings")
    #expect(try await flow.top.content.values == ["order": "author"])
    try await flow.send("done", ["order": "original"])
    #expect(try await listed(flow) == original)
  }

  @Test("A random order of quotes stays the same until it is asked for again")
  func randomOrderStaysTheSame() async throws {
    let quotes = (1...100).map { QuoteCollection.Quote(id: "q\($0)", text: "Text \($0)", author: "Author \($0)") }
    let flow = try await TestFlow.start("quotes", in: .builtIn(quotes: .given(QuoteCollection(quotes: quotes))))
    try await flow.send("settings")
    try await flow.send("done", ["order": "random"])
    let shuffled = try await listed(flow)
    #expect(shuffled != quotes.map(\.id))
    #expect(shuffled.sorted() == quotes.map(\.id).sorted())
    try await flow.select("q7")
    try await flow.back()
    try await flow.send("settings")
    try await flow.send("done")
    #expect(try await listed(flow) == shuffled)
  }

  @Test("Leaving the settings of quotes by Back, or by done without an order, changes nothing")
  func leavingTheSettingsChangesNothing() async throws {
    let flow = try await TestFlow.start("quotes", in: .builtIn())
    let original = try await listed(flow)
    try await flow.send("settings")
    try await flow.back()
    #expect(try await flow.names == ["quotes"])
    #expect(try await listed(flow) == original)
    try await flow.send("settings")
    try await flow.send("done")
    #expect(try await listed(flow) == original)
    try await flow.send("settings")
    await #expect(throws: CallError.self) { try await flow.send("done", ["order": "backwards"]) }
  }
}
