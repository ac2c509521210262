import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Foundation
import TestBus
import Testing

@Suite("Answers from browsers without scripts", .timeLimit(.minutes(5)))
struct WebAnswerTests {
  /// A flow whose list is updated by another client, and a browser that shows it.
  private struct Scene {
    let daemon: RunningDaemon
    let flow: Flow
    let web: RunningWeb
    let browser: PlainBrowser

    init(_ name: String = "network") async throws {
      daemon = try await RunningDaemon.start(executable: "GalleryDaemon")
      flow = try await Flow.start(name, try await daemon.client(), options: Options(token: "mine"))
      web = try await RunningWeb.start(daemon, ["mine"])
      browser = try await web.browser()
      try await browser.go("")
    }
  }

  @Test("An answer to a list that was updated since is accepted if the chosen item is the same")
  func answerToAnUpdatedListIsAccepted() async throws {
    let scene = try await Scene()
    for _ in 0..<3 { try await scene.flow.send("scan") }
    try await scene.browser.press("office", name: "item")
    #expect(scene.browser.title == "Join office")
    try await scene.browser.goBack()
    try await scene.flow.send("scan")
    try await scene.browser.press("skip")
    #expect(scene.browser.title == "Join nothing")
  }

  @Test("A list that is updated all the time can be answered")
  func constantlyUpdatedListCanBeAnswered() async throws {
    let scene = try await Scene()
    let flow = scene.flow
    let scanning = Task {
      // Ends when the list is answered.
      while !Task.isCancelled, (try? await flow.send("scan")) != nil {}
    }
    defer { scanning.cancel() }
    let mirror = try await WindowMirror.attach(to: flow.path, of: flow.daemon, kind: "test")
    for try await case .window(let window) in mirror.events where window.top?.screen.title != "0 scans" { break }
    try await scene.browser.press("office", name: "item")
    #expect(scene.browser.title == "Join office")
  }

  @Test("If a flow refuses to go back, the same screen is shown with the reason, at its own address")
  func refusedBackIsExplained() async throws {
    let daemon = try await RunningDaemon.start(executable: "HostileDaemon")
    let web = try await RunningWeb.start(daemon, ["thrower", "at=went-back", "what=refusal"])
    let browser = try await web.browser()
    try await browser.go("")
    try await browser.press("go")
    let screen = browser.path
    let answer = try await browser.post(screen + "/back", [:])
    #expect(answer.status == 303)
    #expect(answer["location"] == screen)
    try await browser.follow(answer)
    #expect(browser.title == "Thrower")
    #expect(browser.html.contains("refused on purpose"))
    try await browser.press("count")
    #expect(!browser.html.contains("refused on purpose"))
  }

  @Test("A row that has changed or is gone is not chosen")
  func changedOrMissingRowIsNotChosen() async throws {
    let scene = try await Scene()
    try await scene.flow.send("move")
    try await scene.browser.press("office", name: "item")
    #expect(scene.browser.html.contains("This page has changed"))
    #expect(scene.browser.html.contains("Room 1"))
    try await scene.flow.send("scan")
    try await scene.browser.press("net-0-3", name: "item")
    #expect(scene.browser.html.contains("This page has changed"))
    #expect(try await scene.flow.screens() == ["1 networks"])
  }

  @Test("What is typed is saved, and what arrives after its screen has gone is dropped without an error")
  func draftThatArrivesTooLateIsDropped() async throws {
    let scene = try await Scene()
    let browser = scene.browser
    try await browser.press("office", name: "item")
    let form = browser.path
    #expect(try await browser.post(form + "/draft", ["field.user": "Anna", "touched": "field.user"]).status == 204)
    try await browser.go(form)
    #expect(browser.html.contains("value=\"Anna\" "))
    try await browser.goBack()
    #expect(try await browser.post(form + "/draft", ["field.user": "Eve", "touched": "field.user"]).status == 204)
    #expect(try await scene.flow.screens() == ["1 networks"])
    try await browser.press("office", name: "item")
    #expect(browser.html.contains("value=\"Anna\" "))
  }

  @Test("While an answer is being checked its page shows what was sent, except for secrets")
  func sentValuesAreShownDuringTheCheck() async throws {
    let scene = try await Scene()
    let browser = scene.browser
    try await browser.press("office", name: "item")
    try await browser.press("join", ["user": "Anna", "key": "open-canary", "city": "city-3", "keep": "true"])
    #expect(browser.html.contains("id=\"progress\""))
    #expect(browser.html.contains("value=\"Anna\" "))
    #expect(browser.html.contains("<option value=\"city-3\" selected>"))
    #expect(browser.html.contains("value=\"true\" checked disabled"))
    #expect(browser.html.contains("placeholder=\"••••••••\""))
    #expect(!browser.html.contains("canary"))
    // The values are still shown after a reload, but only in this session and only during the check.
    try await browser.go(browser.path)
    #expect(browser.html.contains("value=\"Anna\" "))
    let other = try await scene.web.browser()
    try await other.go("")
    #expect(!other.html.contains("Anna"))
    try await browser.press("stop")
    #expect(browser.title == "Join office")
    #expect(!browser.html.contains("Anna") && !browser.html.contains("readonly"))
  }

  @Test("An answer sent while the daemon is away is kept, and the page continues when it is back")
  func answerSentWhileTheDaemonIsAwayIsKept() async throws {
    let scene = try await Scene("gallery")
    let browser = scene.browser
    try await scene.flow.send("fields")
    try await browser.go("", until: "Tell us about yourself")
    scene.daemon.program.signal(SIGKILL)
    _ = await scene.daemon.program.ended()
    try await browser.press("send", ["name": "Anna", "age": "7", "pin": "1234-canary"])
    #expect(browser.html.contains("There was no connection when you sent this"))
    #expect(browser.html.contains("<meta http-equiv=\"refresh\""))
    #expect(browser.html.contains("value=\"Anna\""))
    // The daemon is still away; the page shows this until it returns.
    try await browser.go(browser.path)
    #expect(browser.html.contains("There was no connection when you sent this"))
    let daemon = try await RunningDaemon.start(executable: "GalleryDaemon", on: scene.daemon.bus)
    // The page refreshes itself.
    try await poll {
      try await browser.go(browser.path)
      return !browser.html.contains("<meta http-equiv=\"refresh\"")
    }
    #expect(browser.html.contains("Please send it again"))
    #expect(browser.html.contains("value=\"Anna\""))
    #expect(!browser.html.contains("canary") && !browser.html.contains("readonly"))
    try await browser.go(browser.path)
    #expect(!browser.html.contains("no connection when"))
    #expect(browser.html.contains("value=\"Anna\""))
    try await browser.press("send", ["name": "Anna", "age": "7", "size": "small", "pin": "1234"])
    #expect(browser.title == "What do you want to see?")
    _ = await daemon.stop()
  }

  @Test("A page that is unavailable while the daemon is away is retried, and nothing is posted again")
  func unavailablePageIsRetriedWithoutPosting() async throws {
    let daemon = try await RunningDaemon.start()
    let web = try await RunningWeb.start(daemon)
    let browser = try await web.browser()
    try await browser.go("new/kanji-detail")
    daemon.program.signal(SIGKILL)
    _ = await daemon.program.ended()
    let token = browser.hidden("token")
    for path in ["", "new/kanji-detail", "flows/visit", "flows/visit/screens/1"] {
      try await browser.go(path)
      #expect(browser.status == 503)
      let target = path.hasPrefix("flows/visit") ? "flows/visit" : path
      #expect(browser.html.contains("content=\"2; url=\(web.base)\(target)\""))
    }
    let started = try await browser.post(web.base + "flows", ["flow": "schedule-visit"], token: token)
    #expect(started.status == 503)
    #expect(started.body.contains("content=\"2; url=\(web.base)\""))
    #expect(try await browser.post(web.base + "new/kanji-detail", ["field.kanji": "typed"], token: token).status == 503)
    let other = try await RunningDaemon.start(on: daemon.bus)
    try await browser.go("")
    #expect(browser.title == "Flows")
    try await browser.go("new/kanji-detail")
    #expect(browser.html.contains("value=\"typed\""))
    _ = await other.stop()
  }

  @Test("A second answer from a page reached by the browser's Back button gets a notice that the page is an earlier one")
  func secondAnswerFromAnOldPageIsExplained() async throws {
    let daemon = try await RunningDaemon.start()
    _ = try await Flow.start("schedule-visit", try await daemon.client(), options: Options(token: "visit"))
    let browser = try await RunningWeb.start(daemon, ["visit"]).browser()
    try await browser.go("")
    let (path, request, seen) = (browser.path, browser.hidden("request"), browser.hidden("seen"))
    let first = try await browser.post(path, ["seen": seen, "event": "sick", "request": request])
    // Chromium restores a page from its cache, whatever the headers say, unless this cookie has changed.
    #expect(first["set-cookie"]?.hasPrefix("coordinator-web-turn=") == true)
    #expect(first["set-cookie"]?.contains("; HttpOnly; SameSite=Strict") == true)
    try await browser.follow(first)
    let token = browser.hidden("token")
    try await browser.follow(try await browser.post(path, ["seen": seen, "event": "well", "request": request], token: token))
    #expect(browser.title == "You are on an earlier page")
    try await browser.follow(try await browser.post(browser.path + "/return", ["top": "2"]))
    #expect(browser.title == "What is the visit for?")
  }
}
