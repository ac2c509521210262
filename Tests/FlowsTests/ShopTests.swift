import CoordinatorKit
import CoordinatorTestKit
import Flows
import Testing

@Suite("The flow shop", .timeLimit(.minutes(5)))
struct ShopTests {
  private func loggedIn() async throws -> TestFlow {
    let flow = try await TestFlow.start("shop", in: .builtIn())
    try await flow.send("log-in")
    return flow
  }

  @Test("Logging in replaces the welcome screen by the products, both as the root without a way back")
  func logInIsReplacedByTheProducts() async throws {
    let flow = try await TestFlow.start("shop", in: .builtIn())
    #expect(try await flow.names == ["welcome"])
    #expect(try await flow.top.style == .root)
    #expect(try await !flow.top.back)
    #expect(try await flow.coordinators == ["flow_1", "flow_1/log_in_1"])
    let revision = try await flow.state.revision
    try await flow.send("log-in")
    #expect(try await flow.state.revision == revision + 1)
    #expect(try await flow.names == ["products"])
    #expect(try await flow.top.style == .root)
    #expect(try await !flow.top.back)
    #expect(try await flow.coordinators == ["flow_1", "flow_1/shop_main_2"])
    #expect(try await flow.top.content.items?.map(\.id) == ["lamp", "chair", "desk"])
    await #expect(throws: CallError.self) { try await flow.back() }
  }

  @Test("A log-in that a client starts below the shop does not empty the basket")
  func foreignLogInKeepsTheBasket() async throws {
    let flow = try await loggedIn()
    try await flow.select("lamp")
    try await flow.send("add-to-basket")
    try await flow.send("done")
    try await flow.call(.startChild(flow.tree.root, flow: "log-in", input: [:], router: .modal))
    try await flow.send("log-in")
    #expect(try await flow.names == ["products"])
    try await flow.send("check-out")
    #expect(try await flow.outcome == .finished(["basket": ["lamp": 1]]))
  }

  @Test("Rule 9: 'add-to-basket' bubbles to 'shop-main', which counts it and reports it on the product's screen")
  func addToBasketBubblesToShopMain() async throws {
    let flow = try await loggedIn()
    try await flow.select("lamp")
    #expect(try await flow.top.content.actions.map(\.id) == ["add-to-basket", "done"])
    for count in 1...2 {
      try await flow.send("add-to-basket")
      #expect(try await flow.names == ["products", "product"])
      #expect(try await flow.top.messages.map(\.code) == ["added"])
      #expect(try await flow.screens[0].content.body.contains("\(count)"))
    }
  }

  @Test("Done finishes the details and Back cancels them, and the basket outlives both")
  func basketOutlivesTheDetails() async throws {
    let flow = try await loggedIn()
    for product in ["lamp", "desk"] {
      try await flow.select(product)
      let child = try await flow.top.coordinator
      try await flow.send("add-to-basket")
      if product == "lamp" { try await flow.send("done") } else { try await flow.back() }
      #expect(try await flow.state.outcomes[child] == (product == "lamp" ? .finished([:]) : .cancelled))
    }
    #expect(try await flow.top.content.body.contains("2"))
    try await flow.send("check-out")
    #expect(try await flow.outcome == .finished(["basket": ["lamp": 1, "desk": 1]]))
  }

  @Test("Check-out is denied while the basket is empty, and nothing changes")
  func checkOutOfAnEmptyBasketIsDenied() async throws {
    let flow = try await loggedIn()
    let revision = try await flow.state.revision
    await #expect(throws: CallError.refused(.denied("the basket is empty"))) { try await flow.send("check-out") }
    #expect(try await flow.state.revision == revision)
    #expect(try await flow.names == ["products"])
  }

  @Test("'log-in' and 'shop-main' can be started on their own")
  func logInAndShopMainRunAlone() async throws {
    let logIn = try await TestFlow.start("log-in", in: .builtIn())
    #expect(try await logIn.top.style == .root)
    try await logIn.send("log-in")
    #expect(try await logIn.outcome == .finished([:]))
    let main = try await TestFlow.start("shop-main", in: .builtIn())
    #expect(try await main.top.style == .root)
    try await main.select("chair")
    for event in ["add-to-basket", "done", "check-out"] { try await main.send(event) }
    #expect(try await main.outcome == .finished(["basket": ["chair": 1]]))
  }

  @Test("'product-details' on its own does not take 'add-to-basket', and refuses an unknown product")
  func productDetailsAloneHasNoBasket() async throws {
    let flow = try await TestFlow.start("product-details", input: ["product": "lamp"], in: .builtIn())
    let unknown = UnknownEvent("add-to-basket", coordinator: flow.tree.root, screen: "product")
    await #expect(throws: CallError.unknownEvent(unknown)) { try await flow.send("add-to-basket") }
    await #expect(throws: CallError.refused(.invalidInput(["product": "is not sold here"]))) {
      try await TestFlow.start("product-details", input: ["product": "boat"], in: .builtIn())
    }
  }

  @Test("Dismissing the log-in cancels the shop")
  func dismissedLogInCancelsTheShop() async throws {
    let flow = try await TestFlow.start("shop", in: .builtIn())
    try await flow.cancel(flow.top.coordinator)
    #expect(try await flow.outcome == .cancelled)
  }
}
