import CoordinatorKit

/// The shop itself: its products, and the basket.
///
/// Demonstrates: state that outlives the screens that change it, an event that a child leaves to its parent, and a
/// guard that refuses.
actor ShopMain: Coordinator {
  static let flow = FlowDescription(
    "shop-main", title: "Products", summary: "Look around, fill a basket, check out.", router: .window, isRehearsable: true)

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
      items: try source.load().products.map { Item($0.id, $0.title, subtitle: $0.priceTag) },
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
    attach(.info("added", count == 1 ? "It is in your basket." : "There are \(count) of it in your basket."))
  }

  private func checkOut() throws {
    guard !state.basket.isEmpty else { throw Refusal.denied("the basket is empty") }
    try finish(Result(basket: state.basket))
  }

  private var basketText: String {
    switch state.basket.values.reduce(0, +) {
    case 0: "Your basket is empty."
    case 1: "1 product in your basket."
    case let count: "\(count) products in your basket."
    }
  }
}
