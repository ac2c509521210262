import CoordinatorKit

/// Kanji to choose from: all of them, or those of one word.
///
/// Demonstrates: an optional input, and a detail screen in a separate coordinator.
actor KanjiList: Coordinator {
  static let flow = FlowDescription(
    "kanji-list", title: "Kanji", summary: "Lists all kanji, or those of a word.",
    input: Form(Field("word", .string(title: "Word", summary: "The word whose kanji to list.")).optional), isRehearsable: true,
    isPart: true)

  enum Route: Codable, CaseIterable {
    case list
  }

  struct Input: Codable {
    var word: String?
  }

  let context = Context()
  private let source: DataSource<KanjiDictionary>

  init(source: DataSource<KanjiDictionary>) { self.source = source }

  func start() { router.present(.list) }

  func screen(for route: Route) throws -> Screen {
    .list(
      "kanji-list", title: input.word.map { Text(verbatim: $0) } ?? "Kanji",
      items: try kanji().map { Item($0.character, verbatim: $0.character, subtitle: $0.meaning) })
  }

  func receive(_ event: Event, on route: Route) throws {
    try startChild(KanjiDetail.self, input: .init(kanji: event.selection))
  }

  private func kanji() throws -> [KanjiDictionary.Entry] {
    let dictionary = try source.load()
    guard let word = input.word else { return dictionary.kanji }
    guard let kanji = dictionary.kanji(of: word) else {
      throw Refusal.invalidInput(["word": Text("is not in the dictionary").string])
    }
    return kanji
  }
}
