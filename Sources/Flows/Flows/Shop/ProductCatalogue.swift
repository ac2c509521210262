/// The products that the shop sells.
public struct ProductCatalogue: Sendable, Codable {
  /// A product.
  public struct Product: Sendable, Codable {
    /// The permanent id, such as `lamp`.
    public var id: String
    /// The name for people.
    public var title: String
    /// A description, in one sentence.
    public var description: String
    /// The price, in cents.
    public var price: Int
  }

  /// All products, in display order.
  public var products: [Product]

  /// The products that ship with the package.
  public static let bundled = DataSource<ProductCatalogue>.json(PackageResources.products_json)

  /// Returns the product with the given id; nil if there is none.
  func product(_ id: String) -> Product? { products.first { $0.id == id } }
}

extension ProductCatalogue.Product {
  /// The price for people, such as `39.50 €`.
  var priceTag: String { "\(price / 100).\(price % 100 / 10)\(price % 10) €" }
}
