import CoordinatorKit

/// One kanji, and the words that contain it.
///
/// Demonstrates: a deep link, since the flow can be started alone with only its input; and reuse of the list for a word.
actor KanjiDetail: Coordinator {
  static let flow = FlowDescription(
    "kanji-detail", title: "A kanji", summary: "Shows what a kanji means, and its words.",
    input: Form(Field("kanji", .string(title: "Kanji", summary: "The character to show."))),
    isRehearsable: true, isPart: true)

  enum Route: Codable, CaseIterable {
    case detail
  }

  struct Input: Codable {
    var kanji: String
  }

  let context = Context()
  private let source: DataSource<KanjiDictionary>

  init(source: DataSource<KanjiDictionary>) { self.source = source }

  func start() { router.present(.detail) }

  func screen(for route: Route) throws -> Screen {
    let dictionary = try source.load()
    guard let entry = dictionary.entry(for: input.kanji) else {
      throw Refusal.invalidInput(["kanji": Text("is not in the dictionary").string])
    }
    return .list(
      "kanji-detail", title: Text(verbatim: entry.character), body: Text(verbatim: entry.meaning),
      items: dictionary.words(with: entry.character).map { Item($0.word, verbatim: $0.word, subtitle: $0.meaning) })
  }

  func receive(_ event: Event, on route: Route) throws {
    try startChild(KanjiList.self, input: .init(word: event.selection))
  }
}
