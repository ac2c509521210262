import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Foundation
import TestBus
import Testing

@Suite("Browsers without scripts", .timeLimit(.minutes(5)))
struct WebWalkTests {
  @Test("A browser plays a visit from the list of flows to its end")
  func visitIsPlayedFromTheListOfFlows() async throws {
    let daemon = try await RunningDaemon.start()
    let browser = try await RunningWeb.start(daemon).browser()
    try await browser.go("")
    #expect(browser.title == "Flows")
    try await browser.follow(try await browser.post(browser.web.base + "flows", ["flow": "schedule-visit"]))
    #expect(browser.path.hasSuffix("/flows/schedule_visit_1/screens/1"))
    try await browser.press("sick")
    try await browser.press("moderate")
    try await browser.goBack()
    #expect(browser.title == "How much does it hurt?")
    try await browser.press("severe")
    try await browser.press("okay")
    #expect(browser.title == "Done")
    #expect(browser.html.contains(">Severely</dd>"))
    #expect(!browser.html.contains("Moderate"))
    // The pages of the ended flow can still be reloaded.
    try await browser.go(browser.web.base + "flows/schedule_visit_1/screens/1")
    #expect(browser.title == "Done")
  }

  @Test("A browser logs in, sees errors beside the form, and never receives a password")
  func logInReportsErrorsWithoutPasswords() async throws {
    let daemon = try await RunningDaemon.start()
    let browser = try await RunningWeb.start(daemon, ["account"]).browser()
    try await browser.go("")
    #expect(browser.title == "Log in")
    try await browser.press("submit")
    #expect(browser.html.contains("<a href=\"#field-1\" dir=\"auto\">Password is required</a>"))
    #expect(browser.html.contains("<title>Error: Log in"))
    try await browser.press("submit", ["username": "demo", "password": "wrong-canary"])
    #expect(!browser.html.contains("wrong-canary"))
    try await untilIdle(browser)
    #expect(browser.html.contains("id=\"errors\""))
    #expect(browser.html.contains("value=\"demo\""))
    try await browser.press("submit", ["username": "demo", "password": "open-sesame"])
    try await untilIdle(browser)
    #expect(browser.title == "Your account")
    #expect(browser.html.contains("You are logged in as demo."))
    try await browser.press("done")
    #expect(browser.title == "Done")
  }

  /// Reloads the page until the screen is not busy, as a page without scripts does.
  private func untilIdle(_ browser: PlainBrowser) async throws {
    try await poll {
      try await browser.go(browser.path)
      return !browser.html.contains("id=\"progress\"")
    }
  }

  @Test("A flow with an input is started from a form that keeps what was typed")
  func inputFormKeepsWhatWasTyped() async throws {
    let daemon = try await RunningDaemon.start()
    let browser = try await RunningWeb.start(daemon).browser()
    try await browser.go("new/kanji-detail")
    try await browser.follow(try await browser.post(browser.path, ["field.kanji": "X"]))
    #expect(browser.html.contains("Error: "))
    #expect(browser.html.contains("value=\"X\""))
    try await browser.follow(try await browser.post(browser.path, ["field.kanji": "水"]))
    #expect(browser.title == "水")
    try await browser.press("水曜日", name: "item")
    #expect(browser.title == "水曜日")
  }

  @Test("An answer to a screen that another client has answered leads to the current screen")
  func answeredScreenLeadsToTheCurrentOne() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let flow = try await Flow.start("schedule-visit", client, options: Options(token: "visit"))
    let browser = try await RunningWeb.start(daemon, ["visit"]).browser()
    try await browser.go("")
    try await flow.send("sick")
    try await browser.press("well")
    #expect(browser.title == "How much does it hurt?")
    #expect(browser.html.contains("This was answered elsewhere"))
    #expect(try await flow.screens() == ["1 select-visit-type", "2 select-pain-level"])
  }

  @Test("A form that was updated since is shown again with what was typed")
  func updatedFormIsShownWithTypedValues() async throws {
    let daemon = try await RunningDaemon.start(executable: "GalleryDaemon")
    let client = try await daemon.client()
    let flow = try await Flow.start("gallery", client, options: Options(token: "gallery"))
    try await flow.send("fields")
    let browser = try await RunningWeb.start(daemon, ["gallery"]).browser()
    try await browser.go("")
    try await flow.send("again")
    try await browser.press("send", ["name": "Anna", "age": "7", "pin": "1234-canary"])
    #expect(browser.html.contains("This page has changed"))
    #expect(browser.html.contains("value=\"Anna\""))
    #expect(browser.html.contains("Counted 1 times."))
    #expect(!browser.html.contains("canary"))
  }

  @Test("The page of an earlier screen changes nothing, and leads back or on")
  func pageOfAnEarlierScreenChangesNothing() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let flow = try await Flow.start("schedule-visit", client, options: Options(token: "visit"))
    let browser = try await RunningWeb.start(daemon).browser()
    try await flow.send("sick")
    try await flow.send("little")
    try await browser.go("flows/visit/screens/1")
    #expect(browser.title == "You are on an earlier page")
    #expect(try await flow.top() == 3)
    try await browser.follow(try await browser.post(browser.path + "/return", ["top": "3"]))
    #expect(try await flow.screens() == ["1 select-visit-type"])
    // The same form again: the flow is no longer on that screen.
    try await flow.send("sick")
    let again = try await browser.post(browser.web.base + "flows/visit/screens/1/return", ["top": "3"])
    #expect(again["location"]?.hasSuffix("notice=answered-elsewhere") == true)
    #expect(try await flow.screens().count == 2)
  }

  @Test("A button pressed twice counts once")
  func buttonPressedTwiceCountsOnce() async throws {
    let daemon = try await RunningDaemon.start()
    let browser = try await RunningWeb.start(daemon).browser()
    try await browser.go("")
    let start: KeyValuePairs = ["flow": "schedule-visit", "request": String(repeating: "a", count: 32)]
    let first = try await browser.post(browser.web.base + "flows", start)
    let second = try await browser.post(browser.web.base + "flows", start)
    #expect(first["location"] == second["location"])
    try await browser.follow(first)
    let answer: KeyValuePairs = ["seen": browser.hidden("seen"), "event": "sick", "request": browser.hidden("request")]
    let path = browser.path
    _ = try await browser.post(path, answer)
    try await browser.follow(try await browser.post(path, answer))
    #expect(browser.title == "How much does it hurt?")
    #expect(!browser.html.contains("answered elsewhere"))
  }

  @Test("The event stream reports every change and ends with the flow")
  func eventStreamFollowsTheFlow() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let flow = try await Flow.start("schedule-visit", client, options: Options(token: "visit"))
    let browser = try await RunningWeb.start(daemon, ["visit"]).browser()
    let stream = try RawHTTP.connect(.port(browser.web.port))
    RawHTTP.write(
      "GET \(browser.web.base)flows/visit/events HTTP/1.1\r\nHost: \(browser.web.host)\r\nCookie: \(browser.cookie)\r\n\r\n".utf8,
      to: stream)
    let reader = EventReader(descriptor: stream)
    #expect(await reader.next("window")?.contains("\"revision\":1,\"screen\":1") == true)
    try await flow.send("sick")
    #expect(await reader.next("window")?.contains("\"revision\":2,\"screen\":2") == true)
    _ = try await flow.coordinator.dismiss()
    #expect(await reader.next("ended") != nil)
  }

  @Test("A signal ends the web server cleanly, even while pages listen, and removes its socket")
  func serverEndsCleanlyOnASignal() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    _ = try await Flow.start("schedule-visit", client, options: Options(token: "visit"))
    let path = daemon.bus.directory + "/web"
    let web = try await RunningWeb.start(daemon, ["--socket", path])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let entered = try await RawHTTP.get(web.entryPath, host: "localhost", at: .socket(path))
    let cookie = entered["set-cookie"]?.split(separator: ";").first.map(String.init) ?? ""
    let stream = try RawHTTP.connect(.socket(path))
    RawHTTP.write("GET \(web.base)flows/visit/events HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\r\n".utf8, to: stream)
    #expect(await EventReader(descriptor: stream).next("window") != nil)
    web.program.signal(SIGTERM)
    #expect(await web.program.ended().status == .exited(0))
    #expect(!FileManager.default.fileExists(atPath: path))
    let other = try await RunningWeb.start(daemon)
    other.program.signal(SIGINT)
    #expect(await other.program.ended().status == .exited(130))
  }

  @Test("The web server ends when the bus is lost")
  func serverEndsWithTheBus() async throws {
    let daemon = try await RunningDaemon.start()
    let web = try await RunningWeb.start(daemon)
    daemon.bus.kill()
    let report = await web.program.ended()
    #expect(report.status == .exited(2))
    #expect(report.errors.contains("the connection to the bus was lost"))
  }

  @Test("'coordinator-web' reports a wrong flow name, an unreachable bus, and conflicting options")
  func wrongNamesAndMissingBusAreReported() async throws {
    let daemon = try await RunningDaemon.start()
    let wrong = try await daemon.run(Built.executable("coordinator-web"), "schedule-vist")
    #expect(wrong.status == .exited(1))
    #expect(wrong.errors.contains("did you mean 'schedule-visit'?"))
    let alone = try await daemon.run(Built.executable("coordinator-web"), "--address", "unix:path=/nowhere")
    #expect(alone.status == .exited(2))
    let both = try await daemon.run(Built.executable("coordinator-web"), "--port", "1", "--socket", "x")
    #expect(both.status == .exited(64))
  }
}
