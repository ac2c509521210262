import CoordinatorKit

/// One product.
///
/// Demonstrates: a child that does not know about the basket, and leaves `add-to-basket` to its parent.
actor ProductDetails: Coordinator {
  static let flow = FlowDescription(
    "product-details", title: "A product", summary: "Shows a product.",
    input: Form(Field("product", .string(title: "Product", summary: "The id of the product to show."))), isRehearsable: true,
    isPart: true)

  enum Route: Codable, CaseIterable {
    case product
  }

  struct Input: Codable {
    var product: String
  }

  let context = Context()
  private let source: DataSource<ProductCatalogue>

  init(source: DataSource<ProductCatalogue>) { self.source = source }

  func start() { router.present(.product) }

  func screen(for route: Route) throws -> Screen {
    guard let product = try source.load().product(input.product) else {
      throw Refusal.invalidInput(["product": Text("is not sold here").string])
    }
    return .message(
      "product", title: Text(verbatim: product.title),
      body: Text(verbatim: "\(product.description) \(product.priceTag)"),
      actions: [.primary("add-to-basket", "Add to basket"), Action("done", "Done")])
  }

  func receive(_ event: Event, on route: Route) throws {
    guard event.name == "done" else { throw event.notTaken }
    finish()
  }
}
