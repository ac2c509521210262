import CoordinatorBus
import CoordinatorClient
import DBus
import Languages
import Platform
import TestBus
import Testing

@testable import CoordinatorWeb

@Suite("The language in which a browser starts a flow", .timeLimit(.minutes(5)))
struct StartingLanguageTests {
  /// Returns the options of the calls to a daemon with these languages when browsers start a flow with these values of
  /// `Accept-Language`, in order; nil for no header field.
  private func options(_ languages: [String]?, own: String?, _ accepted: String?...) async throws -> [[String: Value]] {
    let bus = try PrivateBus()
    let daemon = try await PlainDaemon.start(on: bus, languages: languages)
    var client = try await DaemonClient.connect(to: .address(bus.address))
    client.language = try own.map { try LanguageTag($0) }
    let entries = Lock<[String]>([])
    let site = Site(daemon: client, scope: .everything, origins: [.loopback(port: 80)]) { entry in
      entries.withLock { $0.append(entry.address) }
    }
    let entry = try #require(entries.withLock { $0.first })
    let parts = try #require(entry.split(separator: "/").last).split(separator: "=")
    let prefix = String(try #require(entry.split(separator: "/").dropFirst(2).first))
    let entered = await site.answer(
      HTTPRequest(
        method: .get, path: [prefix], query: ["token": String(try #require(parts.last))], headers: ["Host": "127.0.0.1"]))
    let cookie = try #require(entered.headers.first { $0.name == "Set-Cookie" }?.value.split(separator: ";").first)
    let session = try #require(site.access.session(for: [String(cookie.split(separator: "=")[1])]))
    for value in accepted {
      var headers: HTTPHeaders = [
        "Host": "127.0.0.1", "Cookie": String(cookie), "Content-Type": "application/x-www-form-urlencoded",
      ]
      if let value { headers.add("Accept-Language", value) }
      let body = Array("token=\(session.csrf.text)&flow=pets".utf8)
      let answer = await site.answer(HTTPRequest(method: .post, path: [prefix, "flows"], headers: headers, body: body))
      #expect(answer.status == .seeOther)
    }
    return await daemon.options
  }

  @Test("A daemon without languages is not sent the option, whatever the browser and the environment ask for")
  func olderDaemonIsNotSentTheOption() async throws {
    #expect(try await options(nil, own: "de", "de", nil, "*") == [[:], [:], [:]])
  }

  @Test("The option is the best of the daemon's languages; the environment's counts only if the browser does not ask")
  func optionIsTheBestLanguage() async throws {
    let sent = try await options(
      ["de", "en"], own: "de-CH", "de-AT,en;q=0.5", "en-GB, de;q=0.9", "fr", nil, "fr, *;q=0.1", "nonsense!")
    #expect(sent.map { $0["language"]?.string } == ["de", "en", nil, "de-CH", "de", "de-CH"])
  }

  @Test("The first browser that looks at a run proposes its language, and the page is in it; later ones do not")
  func firstBrowserProposes() async throws {
    let bus = try PrivateBus()
    let daemon = try await TreeDaemon.start(on: bus, showing: Samples.logIn)
    await daemon.offer(["de", "en"])
    let browser = try await SiteBrowser.open(bus, scope: .flow(FlowRuns("pets", input: [:], tree: TreeDaemon.root)))
    let page = await browser.get("flows", "pets_1", "screens", "1", accepting: "de-AT,en;q=0.5")
    #expect(page.status == .ok && page.text.contains("<html lang=\"de\""))
    _ = await browser.get("flows", "pets_1", "screens", "1", accepting: "en")
    #expect(await daemon.proposals == ["de"])
  }

  @Test("A tree that another client has started keeps its language, and so does that of a daemon without languages")
  func otherTreesKeepTheirLanguage() async throws {
    let bus = try PrivateBus()
    let daemon = try await TreeDaemon.start(on: bus, showing: Samples.logIn)
    let older = try await SiteBrowser.open(bus, scope: .flow(FlowRuns("pets", input: [:], tree: TreeDaemon.root)))
    #expect(await older.get("flows", "pets_1", "screens", "1", accepting: "de").status == .ok)
    await daemon.offer(["de", "en"])
    let other = try await SiteBrowser.open(bus, scope: .tree(TreeDaemon.root))
    #expect(await other.get("flows", "pets_1", "screens", "1", accepting: "de").status == .ok)
    #expect(await daemon.proposals.isEmpty)
  }
}
