import Testing

@testable import CoordinatorWeb

@Suite("HTTP responses", .timeLimit(.minutes(5)))
struct HTTPResponseTests {
  private func head(_ response: HTTPResponse) -> String { String(decoding: response.head, as: UTF8.self) }

  @Test("Every response has the security headers")
  func responseHasSecurityHeaders() {
    let head = head(.page(HTML(text: "x")))
    for line in [
      "HTTP/1.1 200 OK", "Content-Type: text/html; charset=utf-8", "Content-Length: 1", "Cache-Control: no-store",
      "Connection: close", "X-Content-Type-Options: nosniff", "Referrer-Policy: same-origin", "X-Frame-Options: DENY",
      "Cross-Origin-Opener-Policy: same-origin", "Cross-Origin-Resource-Policy: same-origin",
    ] {
      #expect(head.contains(line + "\r\n"))
    }
    #expect(head.contains("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"))
    #expect(head.contains("form-action 'self'; frame-ancestors 'none'; base-uri 'none'\r\n"))
    #expect(!head.contains("unsafe"))
  }

  @Test("A header value cannot end its header field")
  func headerValueCannotSplitTheResponse() {
    #expect(head(.seeOther("/a\r\nSet-Cookie: x=1")).contains("Location: /aSet-Cookie: x=1\r\n"))
  }
}
