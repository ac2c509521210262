import CoordinatorBus
import TestBus
import Testing

@Suite("The example flows, played with busctl", .timeLimit(.minutes(5)))
struct FlowsByBusctlTests {
  @Test("The flow kanji navigates lists and details, goes back, accepts deep links, and refuses unknown kanji")
  func kanjiFlowNavigatesListsAndDetails() async throws {
    let daemon = try await RunningDaemon.start()
    let flow = try await BusctlFlow.start("kanji", on: daemon)
    #expect(try await flow.children().count == 1)
    #expect(try await flow.top.text("kind") == "list")
    #expect(try await flow.top.items.count >= 30)
    try await flow.select("水")
    #expect(try await flow.top.text("title") == "水")
    #expect(try await flow.top.text("body") == "water")
    try await flow.select("水曜日")
    #expect(try await flow.top.text("title") == "水曜日")
    #expect(try await flow.top.items == ["水", "曜", "日"])
    await #expect(throws: BusctlFlow.Refused.self) { try await flow.select("火") }
    try await flow.back()
    let detail = try await flow.top.text("coordinator")
    try await flow.back()
    #expect(try await flow.names == ["kanji-list"])
    #expect(try await flow.outcome(detail).first == "cancelled")
    #expect(try await flow.children(flow.top.text("coordinator")).isEmpty)
    try await flow.back()
    #expect(try await flow.outcome().first == "cancelled")
    let link = try await BusctlFlow.start("kanji-detail", ["kanji": "水"], on: daemon)
    #expect(try await link.names == ["kanji-detail"])
    await #expect(throws: BusctlFlow.Refused.self) { try await BusctlFlow.start("kanji-detail", ["kanji": "龍"], on: daemon) }
    #expect(try await BusctlFlow.start("kanji-list", ["word": "日本人"], on: daemon).top.items == ["日", "本", "人"])
  }

  @Test("The flow kanji nests up to MaxDepth and no deeper, and dismissing its root ends every level")
  func kanjiFlowStopsAtMaxDepth() async throws {
    let daemon = try await RunningDaemon.start(["--max-depth", "12"])
    let flow = try await BusctlFlow.start("kanji", on: daemon)
    for level in 3...12 { try await flow.select(level.isMultiple(of: 2) ? "日本" : "日") }
    #expect(try await flow.screens.count == 11)
    await #expect(throws: BusctlFlow.Refused.self) { try await flow.select("日") }
    #expect(try await flow.screens.count == 11)
    try await flow.dismiss()
    #expect(try await flow.outcome().first == "cancelled")
  }

  @Test("The flow shop replaces its log-in, fills the basket, denies an empty one, and ends at check-out")
  func shopFlowFillsAndChecksOutTheBasket() async throws {
    let daemon = try await RunningDaemon.start()
    let flow = try await BusctlFlow.start("shop", on: daemon)
    #expect(try await flow.names == ["welcome"])
    #expect(try await (flow.top.text("style"), flow.top.back) == ("root", false))
    try await flow.send("log-in")
    #expect(try await flow.names == ["products"])
    #expect(try await (flow.top.text("style"), flow.top.back) == ("root", false))
    #expect(try await flow.top.items == ["lamp", "chair", "desk"])
    await #expect(throws: BusctlFlow.Refused(message: "Call failed: the basket is empty")) { try await flow.send("check-out") }
    try await flow.select("lamp")
    #expect(try await flow.top.actions == ["add-to-basket", "done"])
    try await flow.send("add-to-basket")
    #expect(try await flow.top.codes == ["added"])
    #expect(try await flow.screens.first?.text("body").contains("1") == true)
    let details = try await flow.top.text("coordinator")
    try await flow.send("done")
    #expect(try await flow.outcome(details).first == "finished")
    try await flow.select("desk")
    try await flow.back()
    try await flow.send("check-out")
    #expect(try await flow.outcome() == ["finished", ["basket": ["lamp": 1]]])
    await #expect(throws: BusctlFlow.Refused.self) {
      try await BusctlFlow.start("product-details", ["product": "boat"], on: daemon)
    }
    for name in ["log-in", "shop-main"] { _ = try await BusctlFlow.start(name, on: daemon).top }
  }

  @Test("The flow quotes shows a quote, and its list follows the settings at once")
  func quotesFlowFollowsItsSettings() async throws {
    let daemon = try await RunningDaemon.start()
    let flow = try await BusctlFlow.start("quotes", on: daemon)
    let original = try await flow.top.items
    #expect(original.count >= 10)
    try await flow.select("q1")
    #expect(try await flow.names == ["quotes", "quote"])
    try await flow.back()
    for order in ["author", "random", "original"] {
      try await flow.send("settings")
      #expect(try await flow.top.text("style") == "modal")
      try await flow.send("done", ["order": order])
      #expect(try await flow.names == ["quotes"])
      #expect(try await flow.top.items.sorted() == original.sorted())
      if order == "author" {
        let authors = try await flow.top.column("subtitle", of: "items")
        #expect(authors == authors.sorted())
      }
    }
    #expect(try await flow.top.items == original)
    try await flow.send("settings")
    try await flow.back()
    #expect(try await flow.top.items == original)
  }

  @Test("The flow account is busy during a check, keeps the form after a wrong password, and locks out after five")
  func accountFlowChecksPasswords() async throws {
    let daemon = try await RunningDaemon.start()
    let flow = try await BusctlFlow.start("account", on: daemon)
    #expect(try await flow.top.actions == ["submit", "cancel"])
    try await flow.send("submit", ["username": "demo", "password": "wrong"])
    // The check may have ended before `busctl` asks; the unit test is stricter.
    let busy = try await flow.top
    #expect(busy.actions == (busy.keys["progress"] == nil ? ["submit", "cancel"] : ["cancel"]))
    try await flow.untilAnswered()
    #expect(try await flow.top.codes == ["invalid-credentials"])
    #expect(try await flow.top.keys["values"] == ["username": "demo"])
    try await flow.send("submit", ["username": "demo", "password": "open-sesame"])
    try await flow.untilAnswered()
    #expect(try await flow.names == ["user-profile"])
    #expect(try await flow.top.text("body").contains("demo"))
    try await flow.send("log-out")
    #expect(try await flow.names == ["log-in"])
    for count in 1...5 {
      try await flow.send("submit", ["username": "demo", "password": "wrong"])
      try await flow.untilAnswered()
      #expect(try await flow.top.codes == [count < 5 ? "invalid-credentials" : "too-many-attempts"])
    }
    let other = try await BusctlFlow.start("account", on: daemon)
    try await other.send("submit", ["username": "demo", "password": "open-sesame"])
    try await other.untilAnswered()
    #expect(try await other.top.codes == ["too-many-attempts"])
    for isBack in [false, true] {
      let busy = try await BusctlFlow.start("account", on: daemon)
      try await busy.send("submit", ["username": "anna", "password": "wrong"])
      if isBack { try await busy.back() } else { try await busy.send("cancel") }
      #expect(try await busy.outcome().first == "cancelled")
    }
  }
}

extension BusctlFlow {
  /// Waits until the check has ended. Polls, because `busctl` receives no signals.
  func untilAnswered() async throws { try await poll { try await top.keys["progress"] == nil } }
}
