/// What the shop sells.
public struct ProductCatalogue: Sendable, Codable {
  /// Something to buy.
  public struct Product: Sendable, Codable {
    /// Names it for ever: `lamp`.
    public var id: String
    /// What people call it.
    public var title: String
    /// What is to be said of it, in a sentence.
    public var description: String
    /// What it costs, in cents.
    public var price: Int
  }

  /// All products, in the order to show them.
  public var products: [Product]

  /// The products that the package ships.
  public static let bundled = DataSource<ProductCatalogue>.json(PackageResources.products_json)

  /// Finds a product.
  func product(_ id: String) -> Product? { products.first { $0.id == id } }
}

extension ProductCatalogue.Product {
  /// What it costs, as people write it: `39.50 €`.
  var priceTag: String { "\(price / 100).\(price % 100 / 10)\(price % 10) €" }
}
