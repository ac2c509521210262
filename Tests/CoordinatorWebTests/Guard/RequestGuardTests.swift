import Testing

@testable import CoordinatorWeb

@Suite("The request guard", .timeLimit(.minutes(5)))
struct RequestGuardTests {
  private static let own = "http://127.0.0.1:8080"
  private let gate = RequestGuard(origins: [.loopback(port: 8080), .localhost(port: 8080)])
  private let session = Session()

  /// Returns a request as a browser sends it, with some header fields changed or (if nil) left out.
  private func request(_ method: HTTPRequest.Method, _ changes: [String: String?] = [:], token: String? = nil) -> HTTPRequest {
    var fields: [String: String?] = ["host": "127.0.0.1:8080"]
    if method == .post {
      fields["origin"] = Self.own
      fields["sec-fetch-site"] = "same-origin"
      fields["content-type"] = "application/x-www-form-urlencoded"
    }
    fields.merge(changes) { $1 }
    var headers = HTTPHeaders()
    for (name, value) in fields { if let value { headers.add(name, value) } }
    let body = "\(RequestGuard.tokenField)=\(token ?? session.csrf.text)"
    return HTTPRequest(method: method, path: [], headers: headers, body: method == .post ? Array(body.utf8) : [])
  }

  @Test("Requests of the server's own pages are allowed")
  func ownPagesAreAllowed() {
    #expect(gate.verdict(on: request(.get), session: session) == .allowed)
    #expect(gate.verdict(on: request(.post), session: session) == .allowed)
    #expect(
      gate.verdict(on: request(.post, ["host": "localhost:8080", "origin": "http://localhost:8080"]), session: session)
        == .allowed)
    // Simple browsers send fewer header fields, but have sent their cookie and token.
    #expect(gate.verdict(on: request(.post, ["origin": nil, "sec-fetch-site": nil]), session: session) == .allowed)
    let type = "application/x-www-form-urlencoded;charset=UTF-8"
    #expect(gate.verdict(on: request(.post, ["content-type": type]), session: session) == .allowed)
  }

  @Test("A request without a cookie is a stranger's, with or without a form token")
  func requestWithoutACookieIsAStranger() {
    #expect(gate.verdict(on: request(.get), session: nil) == .stranger)
    #expect(gate.verdict(on: request(.post), session: nil) == .stranger)
  }

  @Test(
    "A request for another host is refused, since its name was rebound to this server",
    arguments: [
      nil, "evil.example", "evil.example:8080", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8080.evil.example", "localhost", "",
    ])
  func requestForAnotherHostIsRefused(host: String?) {
    #expect(gate.verdict(on: request(.get, ["host": host]), session: session) == .refused(.wrongHost))
    #expect(gate.verdict(on: request(.post, ["host": host]), session: session) == .refused(.wrongHost))
  }

  @Test(
    "A host whose letters only look like those of the server's is refused",
    arguments: ["\u{212A}iosk", "\u{212A}IOSK", "kio\u{17F}k"])
  func lookalikeHostIsRefused(host: String) {
    let gate = RequestGuard(origins: [Origin(scheme: "http", host: "kiosk")])
    #expect(gate.verdict(on: request(.get, ["host": host]), session: session) == .refused(.wrongHost))
    #expect(gate.verdict(on: request(.get, ["host": "Kiosk"]), session: session) == .allowed)
  }

  @Test(
    "A request of a page of another origin is refused",
    arguments: ["http://evil.example", "null", "https://127.0.0.1:8080", "http://127.0.0.1:8081", "http://localhost:8080", ""])
  func requestOfAnotherOriginIsRefused(origin: String) {
    #expect(gate.verdict(on: request(.post, ["origin": origin]), session: session) == .refused(.wrongOrigin))
    #expect(gate.verdict(on: request(.get, ["origin": origin]), session: session) == .refused(.wrongOrigin))
  }

  @Test(
    "A request that the browser marks as cross-site is refused, except for following a link",
    arguments: ["cross-site", "same-site", "elsewhere"])
  func crossSiteRequestIsRefusedExceptLinks(site: String) {
    #expect(gate.verdict(on: request(.post, ["sec-fetch-site": site]), session: session) == .refused(.wrongOrigin))
    #expect(gate.verdict(on: request(.get, ["sec-fetch-site": site]), session: session) == .refused(.wrongOrigin))
    let image = ["sec-fetch-site": site, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"]
    #expect(gate.verdict(on: request(.get, image), session: session) == .refused(.wrongOrigin))
    let frame = ["sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"]
    #expect(gate.verdict(on: request(.get, frame), session: session) == .refused(.wrongOrigin))
    // Following a link from another site is allowed, because it only shows a page.
    let link = ["sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"]
    #expect(gate.verdict(on: request(.get, link), session: session) == .allowed)
    #expect(gate.verdict(on: request(.post, link), session: session) == .refused(.wrongOrigin))
  }

  @Test("Only forms may be posted", arguments: [nil, "text/plain", "multipart/form-data; boundary=x", "application/json", ""])
  func onlyFormsMayBePosted(type: String?) {
    #expect(gate.verdict(on: request(.post, ["content-type": type]), session: session) == .refused(.noForm))
  }

  @Test("A form without the token of its session is refused")
  func formWithoutTheSessionTokenIsRefused() {
    #expect(gate.verdict(on: request(.post, token: ""), session: session) == .refused(.wrongToken))
    #expect(gate.verdict(on: request(.post, token: Token().text), session: session) == .refused(.wrongToken))
    #expect(gate.verdict(on: request(.post, token: session.cookie.text), session: session) == .refused(.wrongToken))
    #expect(gate.verdict(on: request(.post), session: Session()) == .refused(.wrongToken))
    var broken = request(.post)
    broken.body = Array("%zz".utf8)
    #expect(gate.verdict(on: broken, session: session) == .refused(.wrongToken))
  }
}
