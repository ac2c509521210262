import CoordinatorKit

/// Quotes, in the order in which they were collected.
public struct QuoteCollection: Sendable, Codable {
  /// Something well said.
  public struct Quote: Sendable, Codable {
    /// Names it for ever: `q1`.
    public var id: String
    /// What was said.
    public var text: String
    /// Who said it.
    public var author: String
  }

  /// All quotes.
  public var quotes: [Quote]

  /// The quotes that the package ships.
  public static let bundled = DataSource<QuoteCollection>.json(PackageResources.quotes_json)

  /// Finds a quote.
  func quote(_ id: String) -> Quote? { quotes.first { $0.id == id } }
}

/// In which order to list quotes.
enum QuoteOrder: String, Codable, CaseIterable, MenuChoice {
  case original, author, random

  var title: String {
    switch self {
    case .original: "As collected"
    case .author: "By author"
    case .random: "At random"
    }
  }
}
