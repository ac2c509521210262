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
