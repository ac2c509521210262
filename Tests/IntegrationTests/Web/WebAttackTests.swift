import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Foundation
import Glibc
import TestBus
import Testing

/// Attacks by local users, and by pages of other origins in the same browser.
@Suite("Attacks on the web server", .timeLimit(.minutes(5)))
struct WebAttackTests {
  /// A server with a flow, and a browser that was let in.
  private struct Scene {
    let daemon: RunningDaemon
    let web: RunningWeb
    let flow: Flow
    let browser: PlainBrowser

    init(isOnNetwork: Bool = false) async throws {
      daemon = try await RunningDaemon.start()
      flow = try await Flow.start("schedule-visit", try await daemon.client(), options: Options(token: "visit"))
      web = try await RunningWeb.start(daemon, isOnNetwork: isOnNetwork)
      browser = try await web.browser()
      try await browser.go("flows/visit")
      #expect(browser.status == 200)
    }

    /// Answers the screen as its page would, with some header fields changed.
    func answer(_ changes: [String: String] = [:], token: String? = nil) async throws -> Int {
      let body = "token=\(token ?? browser.hidden("token"))&seen=1&event=sick"
      return try await browser.request("POST", browser.path, changes, body: body).status
    }

    /// Whether the flow is unchanged.
    func isUntouched() async throws -> Bool { try await flow.screens() == ["1 select-visit-type"] }
  }

  @Test("No browser gets in without a token, with a wrong one, or with a used one", arguments: [false, true])
  func nobodyEntersWithoutAFreshToken(isOnNetwork: Bool) async throws {
    let scene = try await Scene(isOnNetwork: isOnNetwork)
    let (web, base) = (scene.web, scene.web.base)
    func status(_ path: String, _ headers: [String: String] = [:]) async throws -> Int {
      try await RawHTTP.get(path, host: web.host, headers, at: .port(web.port)).status
    }
    #expect(try await status(base) == 403)
    #expect(try await status(base + "flows/visit") == 403)
    #expect(try await status(base + "flows/visit/events") == 403)
    #expect(try await status(base + "?token=" + String(repeating: "0", count: 32)) == 403)
    #expect(try await status(web.entryPath) == 403)
    #expect(try await status("/") == 403)
    #expect(try await status(base, ["Cookie": "coordinator-web="]) == 403)
    #expect(try await status(base, ["Cookie": "coordinator-web=" + String(repeating: "a", count: 32)]) == 403)
    #expect(try await status(base, ["Cookie": "other=x; " + scene.browser.cookie]) == 200)
    // Style sheets are not secret.
    let style = scene.browser.html.components(separatedBy: "href=\"").first { $0.contains(".css\"") }?.prefix { $0 != "\"" } ?? ""
    #expect(try await status(String(style)) == 200)
    let entry = try await RawHTTP.get(base, host: web.host, ["Cookie": scene.browser.cookie], at: .port(web.port))
    #expect(entry["set-cookie"] == nil)
  }

  @Test("An entry address is used up and hidden even if the browser was already in")
  func entryAddressIsUsedUpByEveryBrowser() async throws {
    let scene = try await Scene()
    let web = scene.web
    try await web.program.prints("\n", times: 2)
    let second = web.newestEntry
    #expect(second != web.entryPath)
    // A HEAD request does not use up the address.
    _ = try await scene.browser.request("HEAD", second)
    #expect(web.newestEntry == second)
    let opened = try await scene.browser.request("GET", second)
    #expect(opened.status == 303)
    #expect(opened["location"] == web.base)
    #expect(opened["set-cookie"] == nil)
    try await web.program.prints("\n", times: 3)
    #expect(try await RawHTTP.get(second, host: web.host, at: .port(web.port)).status == 403)
    // A used address redirects there, too, and uses up no other.
    #expect(try await scene.browser.request("GET", web.entryPath)["location"] == web.base)
    #expect(try await RawHTTP.get(web.newestEntry, host: web.host, at: .port(web.port)).status == 200)
  }

  @Test(
    "Only the address that the server listens on is served, and a visitor of 'localhost' reads so", arguments: [false, true])
  func onlyTheListeningAddressIsServed(isOnNetwork: Bool) async throws {
    let scene = try await Scene(isOnNetwork: isOnNetwork)
    let answer = try await RawHTTP.get(
      scene.web.base, host: "localhost:\(scene.web.serverPort)", ["Cookie": scene.browser.cookie], at: .port(scene.web.port))
    #expect(answer.status == 421)
    #expect(answer.body.contains(scene.web.origin))
    #expect(!answer.body.contains(scene.web.base))
  }

  @Test("The cookie is scoped to this server's pages and hidden from scripts")
  func cookieIsScopedToTheServer() async throws {
    let daemon = try await RunningDaemon.start()
    let web = try await RunningWeb.start(daemon)
    // A HEAD request does not use up the token.
    let head = try await RawHTTP.exchange("HEAD \(web.entryPath) HTTP/1.1\r\nHost: \(web.host)\r\n\r\n", at: .port(web.port))
    #expect(head.status == 403)
    let answer = try await RawHTTP.get(web.entryPath, host: web.host, at: .port(web.port))
    #expect(answer.status == 200)
    let cookie = try #require(answer["set-cookie"])
    for part in ["HttpOnly", "SameSite=Strict", "Path=\(web.base)"] { #expect(cookie.contains("; " + part)) }
    #expect(!answer.body.contains("token="))
    #expect(answer["content-security-policy"]?.contains("default-src 'none'") == true)
    #expect(answer["cache-control"] == "no-store")
  }

  @Test("A page of another origin cannot answer", arguments: [false, true])
  func pageOfAnotherOriginCannotAnswer(isOnNetwork: Bool) async throws {
    let scene = try await Scene(isOnNetwork: isOnNetwork)
    let downgraded = (isOnNetwork ? "http://" : "https://") + scene.web.host
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", downgraded] {
      #expect(try await scene.answer(["Origin": origin]) == 403)
    }
    #expect(try await scene.answer(["Sec-Fetch-Site": "cross-site"]) == 403)
    #expect(try await scene.answer(["Sec-Fetch-Site": "same-site"]) == 403)
    #expect(try await scene.answer(["Content-Type": "text/plain"]) == 415)
    #expect(try await scene.isUntouched())
    #expect(try await scene.answer() == 303)
  }

  @Test("A host name rebound to this server is refused", arguments: [false, true])
  func reboundHostNameIsRefused(isOnNetwork: Bool) async throws {
    let scene = try await Scene(isOnNetwork: isOnNetwork)
    for host in ["evil.example", "evil.example:\(scene.web.port)", "127.0.0.1", "127.0.0.1:1", "[::1]:\(scene.web.port)"] {
      #expect(try await scene.answer(["Host": host]) == 421)
      #expect(try await scene.browser.request("GET", scene.browser.path, ["Host": host]).status == 421)
    }
    #expect(try await scene.isUntouched())
  }

  @Test("A form that does not come from a page of this session cannot answer", arguments: [false, true])
  func formOfAnotherSessionCannotAnswer(isOnNetwork: Bool) async throws {
    let scene = try await Scene(isOnNetwork: isOnNetwork)
    #expect(try await scene.answer(token: "") == 403)
    #expect(try await scene.answer(token: String(repeating: "0", count: 32)) == 403)
    let other = try await scene.web.browser()
    try await other.go("flows/visit")
    #expect(other.hidden("token") != scene.browser.hidden("token"))
    #expect(try await scene.answer(token: other.hidden("token")) == 403)
    #expect(try await scene.answer(["Cookie": ""]) == 403)
    #expect(try await scene.isUntouched())
  }

  @Test("GET requests change nothing", arguments: [false, true])
  func getRequestsChangeNothing(isOnNetwork: Bool) async throws {
    let scene = try await Scene(isOnNetwork: isOnNetwork)
    let path = scene.browser.path
    for action in ["/back", "/return", "/draft"] {
      #expect(try await scene.browser.request("GET", path + action).status == 405)
    }
    #expect(try await scene.browser.request("GET", scene.web.base + "flows").status == 405)
    let query = "?event=sick&seen=1&token=" + scene.browser.hidden("token")
    #expect(try await scene.browser.request("GET", path + query).status == 200)
    #expect(try await scene.isUntouched())
  }

  @Test(
    "Unsupported HTTP methods are refused",
    arguments: [("PUT", 501), ("DELETE", 501), ("OPTIONS", 501), ("TRACE", 501), ("CONNECT", 501), ("get", 501)])
  func unsupportedMethodsAreRefused(method: String, status: Int) async throws {
    let scene = try await Scene()
    #expect(try await scene.browser.request(method, scene.browser.path).status == status)
    #expect(try await scene.browser.request("POST", scene.web.base, body: "token=" + scene.browser.hidden("token")).status == 405)
  }

  @Test("Paths lead to pages and nowhere else", arguments: [false, true])
  func pathsLeadToPagesOnly(isOnNetwork: Bool) async throws {
    let scene = try await Scene(isOnNetwork: isOnNetwork)
    let base = scene.web.base
    for path in [
      "/../etc/passwd", base + "../x", base + "%2e%2e/%2e%2e/etc/passwd", base + "..%2f..%2fetc/passwd", base + "flows/%00",
      base + "flows/a%2fb", base + "%", base + "%ff", base + "//x", "http://evil.example/", "//evil.example/",
    ] {
      let status = try await scene.browser.request("GET", path).status
      #expect(status == 400, "\(path)")
    }
    for path in [
      base + "etc/passwd", base + "flows/visit/screens/x", base + "flows/visit/screens/01", base + "flows/a-b", "/flows/visit",
    ] {
      let status = try await scene.browser.request("GET", path).status
      #expect(status == 404, "\(path)")
    }
    #expect(try await scene.browser.request("GET", base + String(repeating: "a", count: 5000)).status == 414)
    try await scene.browser.go("flows/visit/screens/99")
    #expect(scene.browser.path.hasSuffix("/screens/1"))
    try await scene.browser.go("flows/nobody")
    #expect(scene.browser.title == "This flow is gone")
  }

  @Test("Requests that two servers could read differently are refused", arguments: [false, true])
  func ambiguousRequestsAreRefused(isOnNetwork: Bool) async throws {
    let scene = try await Scene(isOnNetwork: isOnNetwork)
    let head = "POST \(scene.browser.path) HTTP/1.1\r\nHost: \(scene.web.host)\r\nCookie: \(scene.browser.cookie)\r\n"
    for (rest, status) in [
      ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX", 400),
      ("Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501),
      ("Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400), ("Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400),
      ("Content-Length: 0\r\nHost: evil.example\r\n\r\n", 400), ("X: a\r\n b\r\n\r\n", 400),
      ("X: a\nContent-Length: 0\r\n\r\n", 400),
      ("\r\n", 411),
    ] {
      #expect(try await RawHTTP.exchange(head + rest, at: .port(scene.web.port)).status == status, "\(rest)")
    }
    // The second request after the first one is not even read.
    let two = try await RawHTTP.exchange(
      "GET \(scene.web.base) HTTP/1.1\r\nHost: \(scene.web.host)\r\n\r\n\(head)Content-Length: 0\r\n\r\n",
      at: .port(scene.web.port))
    #expect(two.status == 403)
    #expect(!two.body.contains("HTTP/1.1"))
    #expect(try await scene.isUntouched())
  }

  @Test("Oversized requests are refused and change nothing", arguments: [false, true])
  func oversizedRequestsAreRefused(isOnNetwork: Bool) async throws {
    let scene = try await Scene(isOnNetwork: isOnNetwork)
    let junk = String(repeating: "a", count: 300_000)
    #expect(try await scene.browser.request("POST", scene.browser.path, body: "x=" + junk).status == 413)
    #expect(
      try await scene.browser.request("POST", scene.browser.path, ["Content-Length": "99999999999999999999"], body: "x").status
        == 413)
    #expect(try await scene.browser.request("GET", scene.browser.path, ["X-Junk": junk]).status == 431)
    #expect(try await scene.browser.request("GET", scene.browser.path + "?" + junk).status == 414)
    var many: [String: String] = [:]
    for number in 0..<100 { many["X-\(number)"] = "1" }
    #expect(try await scene.browser.request("GET", scene.browser.path, many).status == 431)
    let values = String(repeating: "a&", count: 20_000)
    #expect(try await scene.browser.request("POST", scene.browser.path, body: values).status == 403)
    #expect(try await scene.isUntouched())
  }

  @Test("A client that sends its request slowly times out without blocking others", arguments: [false, true])
  func slowClientTimesOutWithoutBlockingOthers(isOnNetwork: Bool) async throws {
    let scene = try await Scene(isOnNetwork: isOnNetwork)
    // More connections than the limit: the oldest one without a request is closed first.
    let silent = try (0..<80).map { _ in try RawHTTP.connect(.port(scene.web.serverPort)) }
    defer { for descriptor in silent { close(descriptor) } }
    let dribbling = try RawHTTP.connect(.port(scene.web.port))
    RawHTTP.write("GET / HT".utf8, to: dribbling)
    try await scene.browser.go("flows/visit")
    #expect(scene.browser.status == 200)
    #expect(await RawHTTP.answer(on: dribbling).status == 408)
  }

  @Test(
    "A flood of connections from strangers neither grows the server's memory nor keeps browsers out", arguments: [false, true])
  func connectionFloodIsHarmless(isOnNetwork: Bool) async throws {
    let scene = try await Scene(isOnNetwork: isOnNetwork)
    let (process, port) = (scene.web.program.processIdentifier, scene.web.serverPort)
    // Memory that the first rush maps stays mapped.
    await Self.rush(1000, at: port)
    let before = try ProcessMemory(of: process).resident
    async let rush: Void = Self.rush(12_000, at: port)
    for _ in 0..<5 {
      // A new connection may have to make room before its first byte is sent; browsers then connect again.
      for _ in 0..<5 {
        try await scene.browser.go("flows/visit")
        if scene.browser.status != 0 { break }
      }
      #expect(scene.browser.status == 200)
    }
    await rush
    let growth = try ProcessMemory(of: process).resident - before
    print("12000 connections of strangers: \(growth) kB more")
    if !Built.isSanitized { #expect(growth < 4096) }
  }

  /// Connects many times, sends nothing, and disconnects at once.
  private static func rush(_ count: Int, at port: UInt16) async {
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          await withCheckedContinuation { continuation in
            Thread.detachNewThread {
              for _ in 0..<(count / 4) { if let descriptor = try? RawHTTP.connect(.port(port)) { close(descriptor) } }
              continuation.resume()
            }
          }
        }
      }
    }
  }

  @Test("Event streams are limited, and those whose client has left no longer count", arguments: [false, true])
  func eventStreamsAreLimited(isOnNetwork: Bool) async throws {
    let scene = try await Scene(isOnNetwork: isOnNetwork)
    let request =
      "GET \(scene.web.base)flows/visit/events HTTP/1.1\r\nHost: \(scene.web.host)\r\nCookie: \(scene.browser.cookie)\r\n\r\n"
    var streams: [Int32] = []
    var readers: [EventReader] = []
    for _ in 0..<24 {
      let stream = try RawHTTP.connect(.port(scene.web.port))
      RawHTTP.write(request.utf8, to: stream)
      streams.append(stream)
      readers.append(EventReader(descriptor: stream))
      #expect(await readers.last?.next("window") != nil)
    }
    #expect(try await RawHTTP.exchange(request, at: .port(scene.web.port)).status == 503)
    try await scene.browser.go("flows/visit")
    #expect(scene.browser.status == 200)
    shutdown(streams[0], Int32(SHUT_RDWR))
    // The server notices this a moment later.
    try await poll {
      let stream = try RawHTTP.connect(.port(scene.web.port))
      defer { shutdown(stream, Int32(SHUT_RDWR)) }
      RawHTTP.write(request.utf8, to: stream)
      return await EventReader(descriptor: stream).next("window") != nil
    }
  }

  @Test("A web server for one flow shows and starts no other")
  func serverForOneFlowShowsNoOther() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    _ = try await Flow.start("account", client, options: Options(token: "other"))
    let web = try await RunningWeb.start(daemon, ["schedule-visit", "--token", "mine"])
    let browser = try await web.browser()
    try await browser.go("")
    #expect(browser.path.hasSuffix("/flows/mine/screens/1"))
    // Pages of other trees redirect to the served one, as do those of its earlier runs.
    for path in ["flows/other", "flows/other/screens/1"] {
      let answer = try await browser.request("GET", web.base + path)
      #expect(answer.status == 303 && answer["location"]?.hasSuffix("/flows/mine") == true)
    }
    #expect(try await browser.request("GET", web.base + "flows/other/events").body.hasPrefix("event: ended\n"))
    #expect(try await browser.request("GET", web.base + "new/pets").status == 404)
    let token = browser.hidden("token")
    #expect(try await browser.request("POST", web.base + "flows", body: "flow=pets&token=" + token).status == 404)
    #expect(try await browser.request("POST", web.base + "flows/other/screens/1/back", body: "token=" + token).status == 303)
    #expect(try await client.manager.listActive().count == 2)
  }

  @Test("The web server listens on the loopback address only")
  func serverListensOnLoopbackOnly() async throws {
    let scene = try await Scene()
    let listening = try String(contentsOfFile: "/proc/\(scene.web.program.processIdentifier)/net/tcp", encoding: .utf8)
    let port = String(scene.web.port, radix: 16, uppercase: true)
    let padded = String(repeating: "0", count: 4 - port.count) + port
    let addresses = listening.split(separator: "\n").compactMap { line -> Substring? in
      let words = line.split(separator: " ")
      guard words.count > 3, words[3] == "0A", words[1].hasSuffix(":" + padded) else { return nil }
      return words[1].prefix(8)
    }
    #expect(addresses == ["0100007F"])
  }

  @Test("The entry address appears on no command line, where every user could read it")
  func entryAddressIsOnNoCommandLine() async throws {
    let daemon = try await RunningDaemon.start()
    let pipe = daemon.bus.directory + "/opened"
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = try Program(["cat", pipe])
    let path = Built.checkedOut("Tests/IntegrationTests/Clients") + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
    let changes = ["PATH": path, "XDG_RUNTIME_DIR": daemon.bus.directory, "OPENED": pipe]
    let program = try Program(
      [Built.executable("coordinator-web"), "--open"], environment: daemon.environment.merging(changes) { $1 })
    try await program.prints("\n")
    let seen = await reader.ended().output.split(separator: "\n", maxSplits: 2).map(String.init)
    let entry = program.output.split(separator: "\n").first.map(String.init) ?? ""
    try #require(seen.count == 3)
    #expect(!seen[0].contains("token="))
    #expect(seen[1] == "600")
    #expect(seen[2].contains(entry))
    program.signal(SIGTERM)
    #expect(await program.ended().status == .exited(0))
    #expect(!FileManager.default.fileExists(atPath: seen[0]))
  }
}
