import CoordinatorKit

/// The application coordinator of a shop, which admits users who have logged in.
///
/// Demonstrates: replacing one child by another. The first child is gone once it has finished, and the user cannot go
/// back to it.
actor Shop: Coordinator {
  static let flow = FlowDescription(
    "shop", title: "Shop", summary: "Log in, look around, fill a basket, check out.", router: .window, isRehearsable: true)

  typealias Result = ShopMain.Result

  let context = Context()

  func start() throws { try startChild(LogIn.self, router: .window) }

  func childEnded(_ child: Child, outcome: Outcome) throws {
    // Any client may start a log-in here too. A user who is already in the shop is not sent back to the entrance.
    let isOpen = children.contains { $0.isInstance(of: ShopMain.self) }
    if child.isInstance(of: LogIn.self), case .finished = outcome, !isOpen {
      try startChild(ShopMain.self, router: .window)
    } else if children.isEmpty {
      // Only the shop's result is also a result of this flow.
      if child.isInstance(of: ShopMain.self) { end(as: outcome) } else { cancel() }
    }
  }
}

/// The entrance of the shop. It does not ask for a password; the flow `account` does.
actor LogIn: Coordinator {
  static let flow = FlowDescription(
    "log-in", title: "Log in", summary: "The shop's door.", router: .window, isRehearsable: true, isPart: true)

  enum Route: Codable, CaseIterable {
    case welcome
  }

  let context = Context()

  func start() { router.present(.welcome) }

  func screen(for route: Route) -> Screen {
    .message(
      "welcome", title: "Welcome", body: "Log in to look around.", actions: [.primary("log-in", "Log in")])
  }

  func receive(_ event: Event, on route: Route) { finish() }
}

/// The shop itself: its products, and the basket.
///
/// Demonstrates: state that outlives the screens that change it, an event that a child leaves to its parent, and a
/// guard that refuses.
actor ShopMain: Coordinator {
  static let flow = FlowDescription(
    "shop-main", title: "Products", summary: "Look around, fill a basket, check out.", router: .window, isRehearsable: true,
    isPart: true)

  enum Route: Codable, CaseIterable {
    case products
  }

  struct State: FlowState {
    /// The quantity of each product, by id.
    var basket: [String: Int] = [:]
  }

  struct Result: Codable {
    var basket: [String: Int]
  }

  let context = Context()
  private let source: DataSource<ProductCatalogue>

  init(source: DataSource<ProductCatalogue>) { self.source = source }

  func start() { router.present(.products) }

  func screen(for route: Route) throws -> Screen {
    .list(
      "products", title: "Products", body: basketText,
      items: try source.load().products.map { Item($0.id, verbatim: $0.title, subtitle: $0.priceTag) },
      actions: [.primary("check-out", "Check out")])
  }

  func receive(_ event: Event, on route: Route) throws {
    if event.name == "check-out" { return try checkOut() }
    try startChild(ProductDetails.self, input: .init(product: event.selection))
  }

  func receive(_ event: Event, from child: Child) throws {
    guard event.name == "add-to-basket", let details = child.input(of: ProductDetails.self) else { throw event.notTaken }
    let count = state.basket[details.product, default: 0] + 1
    state.basket[details.product] = count
    attach(
      .info("added", Text(one: "It is in your basket.", other: "There are {count} of it in your basket.", count: count)))
  }

  private func checkOut() throws {
    guard !state.basket.isEmpty else { throw Refusal.denied(Text("the basket is empty").string) }
    try finish(Result(basket: state.basket))
  }

  private var basketText: Text {
    let count = state.basket.values.reduce(0, +)
    if count == 0 { return "Your basket is empty." }
    return Text(one: "{count} product in your basket.", other: "{count} products in your basket.", count: count)
  }
}

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
