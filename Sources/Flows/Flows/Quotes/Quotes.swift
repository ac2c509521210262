import CoordinatorKit

/// Quotes to read, in an order that the user can choose.
///
/// Demonstrates: screens that only report user actions, a coordinator that decides what follows, and settings in a separate
/// layer.
actor Quotes: Coordinator {
  static let flow = FlowDescription(
    "quotes", title: "Quotes", summary: "Things well said, and who said them.", isRehearsable: true)

  enum Route: Codable, Hashable {
    case quotes, settings
    case quote(id: String)
  }

  struct State: FlowState {
    var order = QuoteOrder.original
    /// The ids in display order; nil for the original order.
    var listed: [String]?
  }

  struct Settings: Codable {
    var order: QuoteOrder?
  }

  let context = Context()
  private let source: DataSource<QuoteCollection>

  init(source: DataSource<QuoteCollection>) { self.source = source }

  func start() { router.present(.quotes) }

  func screen(for route: Route) throws -> Screen {
    switch route {
    case .quotes:
      .list(
        "quotes", title: "Quotes", items: try listed().map { Item($0.id, verbatim: $0.text, subtitle: $0.author) },
        actions: [Action("settings", "Settings")])
    case .quote(let id):
      try quote(id)
    case .settings:
      .form(
        "settings", title: "Settings",
        form: Form(Field("order", .choice(title: "Order", of: QuoteOrder.allCases)).optional),
        values: ["order": .string(state.order.rawValue)], actions: [.primary("done", "Done")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch (route, event.name) {
    case (.quotes, Event.select): router.present(.quote(id: try event.selection))
    case (.quotes, "settings"): router.present(.settings, as: .modal)
    case (.settings, "done"):
      if let order = try event.payload.decoded(as: Settings.self).order { try list(by: order) }
      router.dismiss()
    default: throw event.notTaken
    }
  }

  /// Sets the order. Shuffles here once, and not each time that the screen is computed.
  private func list(by order: QuoteOrder) throws {
    let quotes = try source.load().quotes
    state.order = order
    switch order {
    case .original: state.listed = nil
    case .author: state.listed = quotes.sorted { $0.author < $1.author }.map(\.id)
    case .random: state.listed = quotes.map(\.id).shuffled()
    }
  }

  private func listed() throws -> [QuoteCollection.Quote] {
    let collection = try source.load()
    return state.listed?.compactMap(collection.quote) ?? collection.quotes
  }

  private func quote(_ id: String) throws -> Screen {
    guard let quote = try source.load().quote(id) else {
      throw Failure(code: "no-such-quote", message: "there is no quote \(id)")
    }
    return .message("quote", title: Text(verbatim: quote.author), body: Text(verbatim: quote.text))
  }
}

/// Quotes, in the order in which they were collected.
public struct QuoteCollection: Sendable, Codable {
  /// A quote and its author.
  public struct Quote: Sendable, Codable {
    /// The permanent id, such as `q1`.
    public var id: String
    /// The text of the quote.
    public var text: String
    /// The author.
    public var author: String
  }

  /// All quotes.
  public var quotes: [Quote]

  /// The quotes that ship with the package.
  public static let bundled = DataSource<QuoteCollection>.json(PackageResources.quotes_json)

  /// Returns the quote with the given id; nil if there is none.
  func quote(_ id: String) -> Quote? { quotes.first { $0.id == id } }
}

/// The order in which quotes are listed.
enum QuoteOrder: String, Codable, CaseIterable, MenuChoice {
  case original, author, random

  var title: Text {
    switch self {
    case .original: "As collected"
    case .author: "By author"
    case .random: "At random"
    }
  }
}
