import CoordinatorKit
import CoordinatorTestKit
import Testing

@testable import Flows

@Suite("The flow kanji", .timeLimit(.minutes(5)))
struct KanjiTests {
  private let small = DataSource.given(
    KanjiDictionary(
      kanji: [.init(character: "日", meaning: "sun"), .init(character: "本", meaning: "book")],
      words: [.init(word: "日本", meaning: "Japan"), .init(word: "本日", meaning: "today"), .init(word: "日日", meaning: "every day")]))

  @Test("The shipped dictionary has at least 30 kanji, each with a word, and no word with a missing kanji")
  func shippedDictionaryIsConsistent() throws {
    let dictionary = try KanjiDictionary.bundled.load()
    #expect(dictionary.kanji.count >= 30)
    #expect(Set(dictionary.kanji.map(\.character)).count == dictionary.kanji.count)
    #expect(dictionary.kanji.allSatisfy { !$0.meaning.isEmpty && !dictionary.words(with: $0.character).isEmpty })
    #expect(Set(dictionary.words.map(\.word)).count == dictionary.words.count)
    for word in dictionary.words {
      #expect(word.word.allSatisfy { dictionary.entry(for: String($0)) != nil }, "\(word.word)")
    }
    for (word, kanji) in [("日本", "日本"), ("日本人", "日本人"), ("水曜日", "水曜日"), ("火曜日", "火曜日")] {
      #expect(dictionary.kanji(of: word)?.map(\.character) == kanji.map(String.init))
    }
  }

  @Test("'kanji' starts the list as its child, shows nothing itself, and ends when the list does")
  func kanjiEndsWithItsList() async throws {
    let flow = try await TestFlow.start("kanji", in: .builtIn())
    #expect(try await flow.coordinators == ["flow_1", "flow_1/kanji_list_1"])
    #expect(try await flow.names == ["kanji-list"])
    try await flow.back()
    #expect(try await flow.outcome == .cancelled)
  }

  @Test("'kanji' continues when a child that a client started below it ends")
  func kanjiContinuesAfterAForeignChild() async throws {
    let flow = try await TestFlow.start("kanji", in: .builtIn())
    try await flow.call(.startChild(flow.tree.root, flow: "how-to-code", input: [:], router: .navigation))
    try await flow.back()
    #expect(try await flow.names == ["kanji-list"])
  }

  @Test("Unreadable data fails the start of kanji")
  func unreadableDataFailsTheStart() async throws {
    struct Unreadable: Error {}
    let source = DataSource<KanjiDictionary> { throw Unreadable() }
    await #expect(throws: CallError.self) { try await TestFlow.start("kanji", in: .builtIn(kanji: source)) }
  }

  @Test("The list shows all kanji, or those of a word in order with the word as its title")
  func listShowsAllKanjiOrThoseOfAWord() async throws {
    let all = try await TestFlow.start("kanji-list", in: .builtIn(kanji: small)).top.content
    #expect(all.kind == .list)
    #expect(all.items?.map(\.id) == ["日", "本"])
    let word = try await TestFlow.start("kanji-list", input: ["word": "本日"], in: .builtIn(kanji: small)).top.content
    #expect(word.title == "本日")
    #expect(word.items?.map(\.id) == ["本", "日"])
  }

  @Test("A kanji that occurs twice in a word is listed once")
  func repeatedKanjiIsListedOnce() async throws {
    let flow = try await TestFlow.start("kanji-list", input: ["word": "日日"], in: .builtIn(kanji: small))
    #expect(try await flow.top.content.items?.map(\.id) == ["日"])
  }

  @Test("The detail shows the kanji, its meaning and its words")
  func detailShowsTheKanjiAndItsWords() async throws {
    let screen = try await TestFlow.start("kanji-detail", input: ["kanji": "日"], in: .builtIn(kanji: small)).top.content
    #expect(screen.name == "kanji-detail")
    #expect(screen.title == "日")
    #expect(screen.body == "sun")
    #expect(screen.items?.map(\.id) == ["日本", "本日", "日日"])
  }

  @Test("Rule 12: An unknown kanji or word is refused as InvalidInput under its key")
  func unknownKanjiOrWordIsInvalidInput() async throws {
    await #expect(throws: CallError.refused(.invalidInput(["kanji": "is not in the dictionary"]))) {
      try await TestFlow.start("kanji-detail", input: ["kanji": "龍"], in: .builtIn())
    }
    await #expect(throws: CallError.refused(.invalidInput(["word": "is not in the dictionary"]))) {
      try await TestFlow.start("kanji-list", input: ["word": "龍"], in: .builtIn())
    }
  }

  @Test("An unknown child or item is refused and leaves the parent as it was")
  func unknownChildOrItemChangesNothing() async throws {
    let flow = try await TestFlow.start("kanji", in: .builtIn())
    let before = try await flow.coordinators
    await #expect(throws: CallError.refused(.invalidInput(["kanji": "is not in the dictionary"]))) {
      try await flow.call(.startChild(flow.tree.root, flow: "kanji-detail", input: ["kanji": "龍"], router: .navigation))
    }
    await #expect(throws: CallError.invalidPayload(["id": "is not in the list"])) {
      try await flow.select("龍")
    }
    #expect(try await flow.coordinators == before)
  }

  @Test("List and detail alternate, and Back cancels a detail, which its parent then no longer lists")
  func listAndDetailAlternate() async throws {
    let flow = try await TestFlow.start("kanji", in: .builtIn())
    try await flow.select("水")
    try await flow.select("水曜日")
    #expect(try await flow.names == ["kanji-list", "kanji-detail", "kanji-list"])
    #expect(try await flow.top.content.items?.map(\.id) == ["水", "曜", "日"])
    try await flow.back()
    let detail = try await flow.top.coordinator
    try await flow.back()
    #expect(try await flow.names == ["kanji-list"])
    #expect(try await flow.state.outcomes[detail] == .cancelled)
    #expect(try await flow.coordinators == ["flow_1", "flow_1/kanji_list_1"])
  }

  @Test("Rule 11: 200 levels nest up to MaxDepth with all alive, and one Dismiss ends all of them, newest first")
  func nestingStopsAtMaxDepth() async throws {
    let flow = try await TestFlow.start("kanji", in: .builtIn())
    var refused = 0
    for _ in 1...200 {
      let id = try await flow.top.content.name == "kanji-list" ? "日" : "日本"
      do { try await flow.select(id) } catch let error as CallError {
        guard case .refused(.limitExceeded) = error else { throw error }
        refused += 1
      }
    }
    let alive = try await flow.coordinators
    #expect(alive.count == Limits().maxDepth)
    #expect(refused == 200 - (Limits().maxDepth - 2))
    let revision = try await flow.state.revision
    await flow.renderer.clearLog()
    try await flow.cancel()
    #expect(try await flow.state.revision == revision + 1)
    let ended = await flow.renderer.log.compactMap { event -> String? in
      if case .ended(let path, .cancelled) = event { path.text } else { nil }
    }
    #expect(ended == alive.reversed())
  }
}
