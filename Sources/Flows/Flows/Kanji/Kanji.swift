import CoordinatorKit

/// A dictionary: the application coordinator, which opens the data, and shows nothing itself.
///
/// Shows: a data source that is handed in, and a coordinator that is there for its child alone.
actor Kanji: Coordinator {
  static let flow = FlowDescription(
    "kanji", title: "Kanji", summary: "A dictionary of kanji and the words made of them, as deep as you like.",
    isRehearsable: true)

  let context = Context()
  private let source: DataSource<KanjiDictionary>

  init(source: DataSource<KanjiDictionary>) { self.source = source }

  func start() throws {
    // Opened here, so that data which cannot be read is said at once, and not on some screen.
    _ = try source.load()
    try startChild(KanjiList.self, input: .init())
  }

  func childEnded(_ child: Child, outcome: Outcome) {
    if children.isEmpty { end(as: outcome) }
  }
}
