import CoordinatorBus
import CoordinatorClient
import Foundation
import TestBus
import Testing

@Suite("The ends of flows in browsers", .timeLimit(.minutes(5)))
struct WebEndTests {
  @Test("Leaving the first screen ends the flow only after confirmation")
  func endingAFlowNeedsConfirmation() async throws {
    let daemon = try await RunningDaemon.start()
    let flow = try await Flow.start("account", try await daemon.client(), options: Options(token: "mine"))
    let browser = try await RunningWeb.start(daemon, ["mine"]).browser()
    try await browser.go("")
    #expect(browser.html.contains("End this flow"))
    #expect(!browser.html.contains(">Back<"))
    let screen = browser.path
    // Posting Back leads to the question as well, as from any other screen.
    try await browser.follow(try await browser.post(screen + "/back", [:]))
    #expect(browser.path == screen + "/end")
    #expect(browser.title == "End this flow for everyone who has it open?")
    #expect(try await flow.screens() == ["1 log-in"])
    #expect(try await browser.post(screen + "/end", [:], token: "x").status == 403)
    try await browser.follow(try await browser.post(screen + "/end", [:]))
    #expect(browser.title == "Cancelled")
  }

  @Test("Confirming an outdated question ends nothing")
  func outdatedQuestionEndsNothing() async throws {
    let daemon = try await RunningDaemon.start()
    let flow = try await Flow.start("schedule-visit", try await daemon.client(), options: Options(token: "mine"))
    let browser = try await RunningWeb.start(daemon, ["mine"]).browser()
    try await browser.go("flows/mine/screens/1/end")
    try await flow.send("sick")
    let path = browser.path
    try await browser.follow(try await browser.post(path, [:]))
    #expect(browser.title == "How much does it hurt?")
    try await browser.go(path, until: "How much does it hurt?")
    #expect(try await flow.screens().count == 2)
  }

  @Test("A web server that was started for a flow starts it again, once for all who ask")
  func serverRestartsItsFlowOnce() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let web = try await RunningWeb.start(daemon, ["kanji-detail", "kanji=水", "--token", "first"])
    let (browser, other) = (try await web.browser(), try await web.browser())
    try await browser.go("")
    // A running flow is not started again.
    let early = try await browser.post(web.base + "flows/first/again", [:])
    #expect(early["location"] == web.base + "flows/first")
    _ = try await Flow(client, try Contract.flowPath(root: "first")).coordinator.dismiss()
    for browser in [browser, other] {
      try await browser.go("", until: "Cancelled")
      #expect(!browser.html.contains("All flows"))
    }
    try await browser.follow(try await browser.post(web.base + "flows/first/again", [:]))
    #expect(browser.title == "水")
    try await other.follow(try await other.post(web.base + "flows/first/again", [:]))
    #expect(other.path == browser.path)
    #expect(try await client.manager.listActive().count == 1)
    // The previous flow is no longer shown: its pages that are still open lead to the current one.
    let earlier = try await browser.request("GET", web.base + "flows/first")
    #expect(earlier.status == 303 && earlier["location"] == browser.path.components(separatedBy: "/screens").first)
    let answer = try await browser.post(web.base + "flows/first/screens/1", ["event": "okay", "seen": "1"])
    #expect(answer.status == 303 && answer["location"] == earlier["location"])
    #expect(try await browser.request("GET", web.base + "flows/first/events").body.hasPrefix("event: ended\n"))
    try await browser.go("")
    #expect(browser.title == "水")
  }

  @Test("The last page has the titles of the result, also of a flow that ended before the server was started")
  func earlierEndHasTitles() async throws {
    let daemon = try await RunningDaemon.start()
    let flow = try await Flow.start("schedule-visit", try await daemon.client(), options: Options(token: "mine"))
    for event in ["sick", "moderate", "okay"] { try await flow.send(event) }
    let browser = try await RunningWeb.start(daemon).browser()
    try await browser.go("flows/mine", until: "Done")
    #expect(browser.html.contains(">What the visit is for</dt>"))
    #expect(browser.html.contains(">Start again</button>"))
  }

  @Test("A web server for a flow that was already running starts none")
  func serverForARunningFlowStartsNone() async throws {
    let daemon = try await RunningDaemon.start()
    let flow = try await Flow.start("account", try await daemon.client(), options: Options(token: "mine"))
    let web = try await RunningWeb.start(daemon, ["mine"])
    let browser = try await web.browser()
    try await browser.go("")
    let token = browser.hidden("token")
    _ = try await flow.coordinator.dismiss()
    try await browser.go("", until: "Cancelled")
    #expect(!browser.html.contains("Start again") && !browser.html.contains("All flows"))
    #expect(try await browser.post(web.base + "flows/mine/again", [:], token: token).status == 404)
  }
}
