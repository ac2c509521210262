import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Foundation
import TestBus
import Testing

@Suite("What screens say beyond texts and fields, in browsers without scripts", .timeLimit(.minutes(5)))
struct WebScreenTests {
  /// The flow with every feature of screens, and a browser that shows it.
  private struct Scene {
    let daemon: RunningDaemon
    let flow: Flow
    let browser: PlainBrowser

    init(_ events: String...) async throws {
      daemon = try await RunningDaemon.start(executable: "GalleryDaemon")
      flow = try await Flow.start("paperwork", try await daemon.client(), options: Options(token: "mine"))
      browser = try await RunningWeb.start(daemon, ["mine"]).browser()
      for event in events { try await flow.send(event) }
      try await browser.go("")
    }
  }

  @Test("An action with a question is sent only after its question was answered")
  func actionIsSentAfterItsQuestion() async throws {
    let scene = try await Scene()
    let browser = scene.browser
    try await browser.press("erase")
    #expect(browser.title == "Erase everything on this machine?")
    #expect(browser.path.hasSuffix("/screens/1/confirm"))
    #expect(try await scene.flow.screens() == ["1 desk"])
    let screen = String(browser.path.dropLast("/confirm".count))
    try await browser.send([("confirmed." + browser.digits(of: "confirmed"), "erase")], to: screen)
    #expect(browser.title == "Thank you")
    // A page from the browser's history does not ask a question that can no longer be answered.
    for query in ["?seen=1&basis=0&event=erase", ""] {
      try await browser.go(screen + "/confirm" + query)
      #expect(browser.title == "You are on an earlier page")
    }
    try await browser.follow(try await browser.post(screen + "/return", ["top": "2"]))
    try await browser.go(screen + "/confirm?seen=1&basis=0&event=erase")
    #expect(browser.html.contains("This page has changed"))
  }

  @Test("A program cannot skip a question by naming the action")
  func questionCannotBeSkipped() async throws {
    let scene = try await Scene()
    let browser = scene.browser
    let sent: KeyValuePairs = ["seen": browser.hidden("seen"), "event": "erase"]
    try await browser.follow(try await browser.post(browser.path, sent))
    #expect(browser.title == "What is on the desk?")
    #expect(browser.html.contains("This page has changed"))
    #expect(try await scene.flow.screens() == ["1 desk"])
  }

  @Test("A form that was sent without an answer to its question shows the question, and no password")
  func formShowsItsQuestion() async throws {
    let scene = try await Scene("servers")
    let browser = scene.browser
    let fields = [("field.name", "attic"), ("field.password", "open-canary")]
    try await browser.send([("event." + browser.digits(of: "confirmed"), "use")] + fields)
    #expect(browser.title == "Which servers?")
    #expect(browser.html.contains("class=\"ask\" open>"))
    #expect(browser.html.contains("value=\"attic\"") && !browser.html.contains("canary"))
    #expect(try await scene.flow.screens() == ["1 desk", "2 servers"])
    try await browser.send([("confirmed." + browser.digits(of: "confirmed"), "use")] + fields)
    #expect(browser.title == "Check your answers")
    #expect(!browser.html.contains("canary"))
  }

  @Test("Adding a row to a form sends nothing to the daemon, and keeps what was typed, except for passwords")
  func addingARowSendsNothing() async throws {
    let scene = try await Scene("servers")
    let browser = scene.browser
    let row: KeyValuePairs = [
      "seen": browser.hidden("seen"), "field.name": "attic", "field.password": "open-canary", "entry/servers": "0",
      "entry/servers/0/ip": "192.0.2.1", "entry/servers/0/port": "eighty", "row": "add/servers",
    ]
    let answer = try await browser.post(browser.path, row)
    #expect(answer["location"]?.hasSuffix("#field-1-1-0") == true)
    try await browser.go("")
    #expect(browser.html.contains("value=\"attic\"") && browser.html.contains("value=\"eighty\""))
    #expect(browser.html.contains("id=\"field-1-1-0\""))
    #expect(!browser.html.contains("canary"))
    #expect(try await scene.flow.screens() == ["1 desk", "2 servers"])
  }

  @Test("The reason why a choice of several rows is refused is shown at the rows, which remain checked")
  func refusedRowsRemainChecked() async throws {
    let scene = try await Scene("packages")
    let browser = scene.browser
    func choose(_ rows: [(box: Int, id: String)]) async throws {
      let boxes = rows.map { ("box." + browser.digits(of: "box", at: $0.box), $0.id) }
      try await browser.send([("items." + browser.digits(of: "items"), "choose")] + boxes)
    }
    try await choose([(0, "vim"), (1, "ed"), (2, "gcc")])
    #expect(browser.html.contains("href=\"#items\""))
    #expect(browser.html.ranges(of: " checked").count == 3)
    try await choose([(3, "cc")])
    #expect(browser.html.contains("Your choice cannot be chosen: It is part of gcc."))
    try await choose([])
    #expect(browser.html.contains("href=\"#items\"") && !browser.html.contains(" checked"))
    try await choose([(0, "vim"), (2, "gcc")])
    #expect(browser.title == "Thank you" && browser.html.contains("vim, gcc"))
  }

  @Test("Change shows the form of an answer under review again")
  func changeShowsTheFormAgain() async throws {
    let scene = try await Scene("servers")
    let browser = scene.browser
    try await browser.press("use", ["name": "attic", "password": "open-canary"], name: "confirmed")
    #expect(browser.title == "Check your answers")
    #expect(browser.html.contains("<span lang=\"en\">Change</span><span class=\"aside\" dir=\"auto\"> Name</span>"))
    try await browser.press("2", name: "change")
    #expect(browser.title == "Which servers?")
    #expect(browser.html.contains("value=\"attic\""))
    #expect(try await scene.flow.screens() == ["1 desk", "2 servers"])
  }

  @Test("A disabled action that is sent all the same is refused with its reason")
  func disabledActionIsRefused() async throws {
    let scene = try await Scene()
    let browser = scene.browser
    try await browser.follow(
      try await browser.post(browser.path, ["seen": browser.hidden("seen"), "event": "stamp"]))
    #expect(browser.title == "What is on the desk?")
    #expect(browser.html.contains("id=\"errors\"") && browser.html.contains("The stamp is at the repair shop."))
  }
}

extension PlainBrowser {
  /// Returns the text after the dot in the names of buttons or boxes with this prefix.
  fileprivate func digits(of name: String, at index: Int = 0) -> String {
    let names = html.ranges(of: "name=\"\(name).").map { String(html[$0.upperBound...].prefix { $0 != "\"" }) }
    return names.indices.contains(index) ? names[index] : ""
  }

  /// Sends an answer with these names and values to a path, by default that of the page, and follows it.
  fileprivate func send(_ values: [(String, String)], to path: String? = nil) async throws {
    let all = [("seen", hidden("seen")), ("token", hidden("token"))] + values
    let body = all.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    try await follow(try await request("POST", path ?? self.path, body: body))
  }
}
