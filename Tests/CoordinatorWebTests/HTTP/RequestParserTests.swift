import TestBus
import Testing

@testable import CoordinatorWeb

@Suite("The parser of HTTP requests", .timeLimit(.minutes(5)))
struct RequestParserTests {
  /// Returns the request; nil if more bytes are needed.
  private func read(_ text: String, limits: RequestLimits = RequestLimits()) throws(RequestFault) -> HTTPRequest? {
    var parser = RequestParser(limits: limits)
    return try parser.take(text.utf8)
  }

  private func status(_ text: String) -> Int? {
    do {
      return try read(text) == nil ? nil : 200
    } catch {
      return error.status.rawValue
    }
  }

  /// Returns the status that the parser gives as soon as it has one.
  private func statusByteByByte(_ text: String) -> Int? {
    var parser = RequestParser()
    do {
      for byte in text.utf8 where try parser.take([byte]) != nil { return 200 }
      return nil
    } catch {
      return error.status.rawValue
    }
  }

  @Test("A request is read byte by byte as well as at once")
  func requestIsReadByteByByteOrAtOnce() throws {
    let text = "POST /a%20b/c?x=1&y=%C3%A4+b HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\nCookie: a=1; b=2\r\n\r\nhello"
    var parser = RequestParser()
    var slow: HTTPRequest?
    for byte in text.utf8 {
      #expect(slow == nil)
      slow = try parser.take([byte])
    }
    let request = try #require(try read(text))
    #expect(slow == request)
    #expect(request.method == .post)
    #expect(request.path == ["a b", "c"])
    #expect(request.query == ["x": "1", "y": "ä b"])
    #expect(request.headers["HOST"] == "here")
    #expect(request.headers.cookies.map(\.value) == ["1", "2"])
    #expect(request.body == Array("hello".utf8))
  }

  @Test("Only a semicolon ends a cookie, and only an equals sign its name, whatever follows them")
  func cookiesEndAtSemicolons() {
    func cookies(_ header: String) -> [[String]] {
      (["cookie": header] as HTTPHeaders).cookies.map { [$0.name, $0.value] }
    }
    #expect(cookies("a=1\u{37E} b=2") == [["a", "1\u{37E} b=2"]])
    #expect(cookies("a=1;\u{301}b=2") == [["a", "1"], ["\u{301}b", "2"]])
    #expect(cookies("a=\u{301}1; b=\u{FE0F}2") == [["a", "\u{301}1"], ["b", "\u{FE0F}2"]])
  }

  @Test("Bytes behind the first request are ignored")
  func bytesBehindTheRequestAreIgnored() throws {
    let request = try read("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET /admin HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(request?.path == [])
    #expect(request?.body == [])
  }

  @Test(
    "An ambiguous or malformed request is refused",
    arguments: [
      ("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501),
      ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding : chunked\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello", 400),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5, 5\r\n\r\nhello", 400),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +5\r\n\r\nhello", 400),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0x5\r\n\r\nhello", 400),
      ("POST / HTTP/1.1\r\nHost: h\r\n\r\n", 411),
      ("GET / HTTP/1.1\r\nHost: h\r\n folded: x\r\n\r\n", 400),
      ("GET / HTTP/1.1\nHost: h\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: h\r\nno colon\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
      ("GET  / HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET /\r\nHost: h\r\n\r\n", 400),
      ("\r\n\r\n", 400), ("GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505), ("GET / FTP/1.1\r\nHost: h\r\n\r\n", 400),
      ("BREW / HTTP/1.1\r\nHost: h\r\n\r\n", 501), ("G(T / HTTP/1.1\r\nHost: h\r\n\r\n", 400),
    ])
  func ambiguousRequestIsRefused(text: String, expected: Int) {
    #expect(status(text) == expected)
  }

  @Test(
    "An ambiguous path is refused",
    arguments: [
      "/..", "/a/../b", "/./a", "/%2e%2e/a", "/%2E/a", "/a//b", "/a%2fb", "/a%5cb", "/a%00b", "/%", "/%2", "/%zz", "/%ff",
      "/%c0%ae",
      "//evil.example/a", "http://evil.example/", "*", "a", "/a#b", "/a%0d%0ab", "/a\\b",
    ])
  func ambiguousPathIsRefused(target: String) {
    #expect(status("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n") == 400)
  }

  @Test("An unambiguous path is decoded")
  func plainPathIsDecoded() throws {
    for (target, path) in [("/", []), ("/a", ["a"]), ("/a/", ["a"]), ("/...", ["..."]), ("/%6b%c3%a4", ["kä"])] {
      #expect(try read("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")?.path == path)
    }
  }

  @Test("An oversized request is refused as soon as its size is known")
  func oversizedRequestIsRefusedEarly() {
    #expect(status("GET /" + String(repeating: "a", count: 5000)) == 414)
    #expect(status("GET /\(String(repeating: "a", count: 5000)) HTTP/1.1\r\nHost: h\r\n\r\n") == 414)
    #expect(status("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 20_000)) == 431)
    #expect(status("GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "X: y\r\n", count: 64) + "\r\n") == 431)
    #expect(status("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 262145\r\n\r\n") == 413)
    #expect(status("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n\r\n") == 413)
    #expect(status("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 262144\r\n\r\n") == nil)
  }

  @Test("Random input gets the same answer byte by byte as at once", arguments: 0..<8)
  func randomBytesAreReadByteByByteOrAtOnce(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "GET ", "/", "%", "?", "&", "=", " HTTP/1.1", "\r\n", "Host: h", "Content-Length: 3", ":", "\0", "é", "..", "+", "\r", "\n",
    ]
    for _ in 0..<600 {
      let chosen = (0..<Int.random(in: 0...20, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }
      let text = chosen.joined()
      let status = status(text)
      #expect(status == nil || [200, 400, 404, 411, 414, 431, 501, 505].contains(status), "\(text.debugDescription)")
      #expect(statusByteByByte(text) == status, "\(text.debugDescription)")
    }
  }
}
