import CoordinatorBus
import CoordinatorClient
import Foundation
import TestBus
import Testing

@Suite("Kiosks in browsers", .timeLimit(.minutes(5)))
struct WebKioskTests {
  @Test("A flow that has ended starts again after the time, even without a viewer")
  func endedFlowStartsAgain() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let web = try await RunningWeb.start(daemon, ["kanji-detail", "kanji=水", "--token", "first", "--restart-after", "2s"])
    let browser = try await web.browser()
    try await browser.go("", until: "水")
    _ = try await Flow(client, try Contract.flowPath(root: "first")).coordinator.dismiss()
    try await poll {
      let active = try await client.manager.listActive()
      return active.count == 1 && active.first?.token != "first"
    }
    try await browser.go("", until: "水")
    #expect(!browser.path.contains("/first/"))
  }

  @Test("The last page says when the flow starts again, with and without scripts")
  func lastPageCountsDown() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let web = try await RunningWeb.start(daemon, ["kanji-detail", "kanji=水", "--token", "first", "--restart-after", "1h"])
    let browser = try await web.browser()
    try await browser.go("", until: "水")
    _ = try await Flow(client, try Contract.flowPath(root: "first")).coordinator.dismiss()
    try await browser.go("", until: "Cancelled")
    #expect(browser.html.contains("This starts again in <span class=\"clock\""))
    #expect(browser.html.contains("<noscript><meta http-equiv=\"refresh\""))
    // The next user need not wait.
    try await browser.follow(try await browser.post(web.base + "flows/first/again", [:]))
    #expect(browser.title == "水")
  }

  @Test("A flow that a visitor has begun and left is cancelled, and starts again; the page asks first")
  func idleFlowIsReset() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let web = try await RunningWeb.start(daemon, ["schedule-visit", "--token", "first", "--idle-reset", "2s"])
    let browser = try await web.browser()
    try await browser.go("")
    #expect(browser.html.contains("id=\"idle\"") && browser.html.contains("/flows/first/alive\""))
    try await browser.press("sick")
    try await poll {
      let active = try await client.manager.listActive()
      return active.count == 1 && active.first?.token != "first"
    }
    #expect(try await client.manager.outcome(of: try Contract.flowPath(root: "first")) == .cancelled)
    // A page that was left open continues with the next user's run.
    try await browser.go("flows/first", until: "What is the visit for?")
    #expect(!browser.path.contains("/first/"))
  }

  @Test("A page that is locked has no way to the end of the flow, and none is taken")
  func lockedPageHasNoWayOut() async throws {
    let daemon = try await RunningDaemon.start()
    let web = try await RunningWeb.start(daemon, ["account", "--token", "first", "--kiosk"])
    let browser = try await web.browser()
    try await browser.go("")
    #expect(!browser.html.contains("End this flow") && !browser.html.contains("All flows"))
    let screen = browser.path
    try await browser.go(screen + "/end")
    #expect(browser.path == screen)
  }

  @Test("A kiosk takes up the tree of its last run, and resets it if the visitor has gone")
  func takesUpItsTree() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    func active() async throws -> [String?] { try await client.manager.listActive().map(\.token) }
    let first = try await RunningWeb.start(daemon, ["schedule-visit", "--kiosk"])
    let browser = try await first.browser()
    try await browser.go("")
    try await browser.press("sick")
    first.program.signal(SIGKILL)
    _ = await first.program.ended()
    let second = try await RunningWeb.start(daemon, ["schedule-visit", "--kiosk"])
    #expect(try await active() == ["kiosk_schedule_visit_web_1"])
    second.program.signal(SIGKILL)
    _ = await second.program.ended()
    // No visitor touches the page of this run, but one has begun to answer before.
    let third = try await RunningWeb.start(daemon, ["schedule-visit", "--kiosk", "--idle-reset", "1s"])
    try await poll { try await active() == ["kiosk_schedule_visit_web_2"] }
    let outcome = try await client.manager.outcome(of: try Contract.flowPath(root: "kiosk_schedule_visit_web_1"))
    #expect(outcome == .cancelled)
    third.program.signal(SIGTERM)
    _ = await third.program.ended()
  }

  @Test("A kiosk goes on when another flow has the name of its next run")
  func goesOnWithAnotherName() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let web = try await RunningWeb.start(daemon, ["kanji-detail", "kanji=水", "--kiosk", "--restart-after", "1s"])
    _ = try await client.manager.startFlow("pets", options: Options(token: "kiosk_kanji_detail_web_2"))
    _ = try await Flow(client, try Contract.flowPath(root: "kiosk_kanji_detail_web_1")).coordinator.dismiss()
    try await poll {
      try await client.manager.listActive().contains { $0.flow == "kanji-detail" && $0.token != "kiosk_kanji_detail_web_1" }
    }
    let browser = try await web.browser()
    try await browser.go("", until: "水")
    try await poll { web.program.errors.contains("kiosk_kanji_detail_web_2") }
  }

  @Test("A kiosk ends the tree that was begun with another input or flow")
  func endsOtherTrees() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    for arguments in [["kanji-detail", "kanji=水"], ["kanji-detail", "kanji=火"], ["schedule-visit"]] {
      let web = try await RunningWeb.start(daemon, arguments + ["--kiosk", "--token", "desk"])
      let active = try await client.manager.listActive()
      #expect(active.map(\.flow) == [arguments[0]])
      web.program.signal(SIGTERM)
      _ = await web.program.ended()
    }
    #expect(try await client.manager.listActive().map(\.token) == ["desk_3"])
  }

  @Test(
    "The options of a kiosk need a flow to start", arguments: [["--kiosk"], ["--restart-after", "5s"], ["--idle-reset", "0"]])
  func optionsNeedAFlow(options: [String]) async throws {
    let daemon = try await RunningDaemon.start()
    let program = try Program([Built.executable("coordinator-web")] + options, environment: daemon.environment)
    #expect(await program.ended().status == .exited(64))
  }
}
