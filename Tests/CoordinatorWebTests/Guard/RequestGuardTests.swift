import Testing

@testable import CoordinatorWeb

struct RequestGuardTests {
  private static let own = "http://127.0.0.1:8080"
  private let gate = RequestGuard(origins: [.loopback(port: 8080), .localhost(port: 8080)])
  private let session = Session()

  /// A request as a browser sends it, with some header fields changed or, with nil, left out.
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

  @Test("What our own pages send is allowed")
  func ours() {
    #expect(gate.verdict(on: request(.get), session: session) == .allowed)
    #expect(gate.verdict(on: request(.post), session: session) == .allowed)
    #expect(
      gate.verdict(on: request(.post, ["host": "localhost:8080", "origin": "http://localhost:8080"]), session: session)
        == .allowed)
    // Plain browsers say less; they have shown their cookie and their token.
    #expect(gate.verdict(on: request(.post, ["origin": nil, "sec-fetch-site": nil]), session: session) == .allowed)
    let type = "application/x-www-form-urlencoded;charset=UTF-8"
    #expect(gate.verdict(on: request(.post, ["content-type": type]), session: session) == .allowed)
  }

  @Test("Whoever has no cookie is a stranger, token or not")
  func strangers() {
    #expect(gate.verdict(on: request(.get), session: nil) == .stranger)
    #expect(gate.verdict(on: request(.post), session: nil) == .stranger)
  }

  @Test(
    "Another host is refused: its name was made to point here",
    arguments: [
      nil, "evil.example", "evil.example:8080", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8080.evil.example", "localhost", "",
    ])
  func rebinding(host: String?) {
    #expect(gate.verdict(on: request(.get, ["host": host]), session: session) == .refused(.wrongHost))
    #expect(gate.verdict(on: request(.post, ["host": host]), session: session) == .refused(.wrongHost))
  }

  @Test(
    "What a page of another origin sends is refused",
    arguments: ["http://evil.example", "null", "https://127.0.0.1:8080", "http://127.0.0.1:8081", "http://localhost:8080", ""])
  func crossOrigin(origin: String) {
    #expect(gate.verdict(on: request(.post, ["origin": origin]), session: session) == .refused(.wrongOrigin))
    #expect(gate.verdict(on: request(.get, ["origin": origin]), session: session) == .refused(.wrongOrigin))
  }

  @Test("What a browser says another site has sent is refused", arguments: ["cross-site", "same-site", "elsewhere"])
  func fetchSite(site: String) {
    #expect(gate.verdict(on: request(.post, ["sec-fetch-site": site]), session: session) == .refused(.wrongOrigin))
    #expect(gate.verdict(on: request(.get, ["sec-fetch-site": site]), session: session) == .refused(.wrongOrigin))
    let image = ["sec-fetch-site": site, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"]
    #expect(gate.verdict(on: request(.get, image), session: session) == .refused(.wrongOrigin))
    let frame = ["sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"]
    #expect(gate.verdict(on: request(.get, frame), session: session) == .refused(.wrongOrigin))
    // A link may lead here; it only shows a page.
    let link = ["sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"]
    #expect(gate.verdict(on: request(.get, link), session: session) == .allowed)
    #expect(gate.verdict(on: request(.post, link), session: session) == .refused(.wrongOrigin))
  }

  @Test("Only forms are posted", arguments: [nil, "text/plain", "multipart/form-data; boundary=x", "application/json", ""])
  func types(type: String?) {
    #expect(gate.verdict(on: request(.post, ["content-type": type]), session: session) == .refused(.noForm))
  }

  @Test("A form without the session's token is refused")
  func tokens() {
    #expect(gate.verdict(on: request(.post, token: ""), session: session) == .refused(.wrongToken))
    #expect(gate.verdict(on: request(.post, token: Token().text), session: session) == .refused(.wrongToken))
    #expect(gate.verdict(on: request(.post, token: session.cookie.text), session: session) == .refused(.wrongToken))
    #expect(gate.verdict(on: request(.post), session: Session()) == .refused(.wrongToken))
    var broken = request(.post)
    broken.body = Array("%zz".utf8)
    #expect(gate.verdict(on: broken, session: session) == .refused(.wrongToken))
  }
}
