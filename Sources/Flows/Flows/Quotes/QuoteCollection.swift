import CoordinatorKit

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
