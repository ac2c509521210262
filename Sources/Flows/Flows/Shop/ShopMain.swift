import CoordinatorKit

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
