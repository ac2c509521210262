import CoordinatorKit

/// The application coordinator of a dictionary. It opens the data, and shows nothing itself.
///
/// Demonstrates: an injected data source, and a coordinator that exists only for its child.
actor Kanji: Coordinator {
  static let flow = FlowDescription(
    "kanji", title: "Kanji", summary: "A dictionary of kanji and the words made of them, as deep as you like.",
    isRehearsable: true)

  let context = Context()
  private let source: DataSource<KanjiDictionary>

  init(source: DataSource<KanjiDictionary>) { self.source = source }

  func start() throws {
    // Opened here, so that unreadable data is reported at the start, and not on some later screen.
    _ = try source.load()
    try startChild(KanjiList.self, input: .init())
  }

  func childEnded(_ child: Child, outcome: Outcome) {
    if children.isEmpty { end(as: outcome) }
  }
}

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
