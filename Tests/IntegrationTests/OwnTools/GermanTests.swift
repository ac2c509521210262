import CoordinatorBus
import CoordinatorClient
import Foundation
import TestBus
import Testing

@Suite("The tools in another language", .timeLimit(.minutes(5)))
struct GermanTests {
  private static let checkout = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

  /// Starts a daemon with the translations in the checkout, which it reads only once.
  private static func germanDaemon() async throws -> RunningDaemon {
    let translations = FileManager.default.temporaryDirectory.appending(path: "german-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: translations) }
    let scripts = checkout.appending(path: "Scripts/po").path
    let directory = checkout.appending(path: "Translations").path
    let compiled = try await Program.run([scripts, "--directory", directory, "compile", translations])
    #expect(compiled.status == .exited(0), "\(compiled)")
    return try await RunningDaemon.start(["--translations", translations])
  }

  @Test("Flows that a tool starts are shown in the language of its environment, from the translations in the checkout")
  func flowsAreShownInTheLanguageOfTheEnvironment() async throws {
    let daemon = try await Self.germanDaemon()
    func control(_ arguments: String..., locale: String) async throws -> ProgramReport {
      try await Program.run(
        [Built.executable("coordinatorctl")] + arguments,
        environment: daemon.environment.merging(["LC_ALL": locale, "LANGUAGE": ""]) { $1 })
    }
    #expect(try await control("start", "schedule-visit", "--token", "german", locale: "de_DE.UTF-8").status == .exited(0))
    #expect(try await control("start", "schedule-visit", "--token", "english", locale: "C.UTF-8").status == .exited(0))
    let german = try await control("show", "german", locale: "C.UTF-8").output
    #expect(german.contains("Wozu dient der Besuch?"), "\(german)")
    #expect(german.contains("Mein Tier ist krank"), "\(german)")
    #expect(try await control("show", "english", locale: "de_DE.UTF-8").output.contains("What is the visit for?"))
  }

  @Test("Flows are listed in the language of the environment, and for programs in English")
  func flowsAreListedInTheLanguageOfTheEnvironment() async throws {
    let daemon = try await Self.germanDaemon()
    func flows(_ arguments: String..., locale: String) async throws -> String {
      try await Program.run(
        [Built.executable("coordinatorctl"), "flows"] + arguments,
        environment: daemon.environment.merging(["LC_ALL": locale, "LANGUAGE": ""]) { $1 }
      ).output
    }
    #expect(try await flows(locale: "de_AT.UTF-8").contains("Besuch vereinbaren"))
    #expect(try await flows(locale: "pl_PL.UTF-8").contains("Schedule a visit"))
    let json = try await flows("--json", locale: "de_AT.UTF-8")
    #expect(json.contains("Schedule a visit") && !json.contains("Besuch"))
  }

  @Test("A browser lists flows in its language, starts them in it, and receives the language of each page")
  func browserShowsItsLanguage() async throws {
    let daemon = try await Self.germanDaemon()
    let browser = try await RunningWeb.start(daemon).browser()
    func start(_ accepted: String?) async throws {
      let headers = accepted.map { ["Accept-Language": $0] } ?? [:]
      let home = try await browser.request("GET", browser.web.base, headers)
      #expect(home.body.contains("Besuch vereinbaren") == (accepted?.hasPrefix("de") == true))
      #expect(home.body.contains("<html lang=\"en\""))
      try await browser.go("")
      let body = "token=\(browser.hidden("token"))&flow=schedule-visit"
      try await browser.follow(try await browser.request("POST", browser.web.base + "flows", headers, body: body))
    }
    try await start("de-AT,de;q=0.9,en;q=0.8")
    #expect(browser.title == "Wozu dient der Besuch?")
    #expect(browser.html.contains("<html lang=\"de\" dir=\"ltr\">"))
    try await browser.press("sick")
    #expect(browser.html.contains("<html lang=\"de\" dir=\"ltr\">"))
    for accepted in ["pl, en;q=0.5, de;q=0.1", "pl", nil, ";de;q=no"] {
      try await start(accepted)
      #expect(browser.title == "What is the visit for?", "\(accepted ?? "-")")
      #expect(browser.html.contains("<html lang=\"en\" dir=\"ltr\">"))
    }
  }

  @Test("A page whose flow changes its language hears of it, and is then in that language")
  func pageFollowsTheLanguageOfItsFlow() async throws {
    let daemon = try await RunningDaemon.start(executable: "GalleryDaemon")
    let flow = try await Flow.start("tongues", try await daemon.client(), options: Options(token: "mine"))
    let browser = try await RunningWeb.start(daemon, ["mine"]).browser()
    try await browser.go("")
    #expect(browser.html.contains("<html lang=\"en\""))
    let stream = try RawHTTP.connect(.port(browser.web.port))
    RawHTTP.write(
      "GET \(browser.web.base)flows/mine/events HTTP/1.1\r\nHost: \(browser.web.host)\r\nCookie: \(browser.cookie)\r\n\r\n".utf8,
      to: stream)
    let reader = EventReader(descriptor: stream)
    #expect(await reader.next("window")?.contains("\"language\":\"en\"") == true)
    try await flow.send("de")
    var event = await reader.next("window")
    while let data = event, !data.contains("\"language\":\"de\"") { event = await reader.next("window") }
    #expect(event != nil)
    try await browser.go("")
    #expect(browser.html.contains("<html lang=\"de\""))
    #expect(browser.html.contains("data-language=\"de\""))
  }
}
