import Foundation
import TestBus

/// A browser without scripts that follows redirections and sends the forms of its page.
final class PlainBrowser {
  let web: RunningWeb
  let cookie: String
  /// The path of the current page.
  private(set) var path = ""
  private(set) var page = RawHTTP.Answer()

  init(web: RunningWeb, cookie: String) {
    self.web = web
    self.cookie = cookie
  }

  var status: Int { page.status }
  var html: String { page.body }

  /// The heading of the page.
  var title: String { between("<h1", "</h1>").split(separator: ">").last.map(String.init) ?? "" }

  /// Returns the value of a hidden control.
  func hidden(_ name: String) -> String { between("name=\"\(name)\" value=\"", "\"") }

  /// Returns the text between two strings: from the first occurrence of `start`, or from the one closest to `end`.
  private func between(_ start: String, _ end: String, closest: Bool = false) -> String {
    if closest {
      guard let last = html.range(of: end),
        let first = html[..<last.lowerBound].range(of: start, options: .backwards)
      else { return "" }
      return String(html[first.upperBound..<last.lowerBound])
    }
    guard let first = html.range(of: start), let last = html[first.upperBound...].range(of: end) else { return "" }
    return String(html[first.upperBound..<last.lowerBound])
  }

  private static func escaped(_ text: String) -> String { text.replacingOccurrences(of: "&", with: "&amp;") }

  /// Goes to a path, which is absolute or below the entrance.
  func go(_ path: String) async throws {
    var target = path.hasPrefix("/") ? path : web.base + path
    page = try await request("GET", target)
    while page.status == 303, let location = page["location"] {
      target = location
      page = try await request("GET", target)
    }
    self.path = String(target.prefix { $0 != "?" })
  }

  /// Reloads a path until its page has a title, because the server receives other clients' changes a moment later.
  func go(_ path: String, until title: String) async throws {
    try await poll {
      try await go(path)
      return self.title == title
    }
  }

  /// Posts a form to a path without following a redirection.
  func post(_ path: String, _ fields: KeyValuePairs<String, String>, token: String? = nil) async throws -> RawHTTP.Answer {
    let all = [("token", token ?? hidden("token"))] + fields.map { ($0, $1) }
    let body = all.map { "\(Self.encoded($0.0))=\(Self.encoded($0.1))" }.joined(separator: "&")
    return try await request("POST", path, body: body)
  }

  /// Presses a button of the current screen; `name` is the beginning of the button's name.
  func press(_ event: String, _ fields: KeyValuePairs<String, String> = [:], name: String = "event") async throws {
    let button = between("<button name=\"\(name).", "\" value=\"\(Self.escaped(event))\"", closest: true)
    let known =
      [("seen", hidden("seen")), (button.isEmpty ? name : "\(name).\(button)", event)] + fields.map { ("field." + $0, $1) }
    let body = ([("token", hidden("token"))] + known).map { "\(Self.encoded($0.0))=\(Self.encoded($0.1))" }.joined(separator: "&")
    try await follow(try await request("POST", path, body: body))
  }

  /// Presses Back on the page.
  func goBack() async throws { try await follow(try await post(path + "/back", [:])) }

  /// Follows the redirection of an answer.
  func follow(_ answer: RawHTTP.Answer) async throws {
    page = answer
    if answer.status == 303, let location = answer["location"] { try await go(location) }
  }

  /// Sends a request with the cookie and with replaceable header fields.
  func request(_ method: String, _ path: String, _ changes: [String: String] = [:], body: String? = nil) async throws
    -> RawHTTP.Answer
  {
    var headers = ["Host": web.host, "Cookie": cookie]
    if let body {
      headers["Content-Type"] = "application/x-www-form-urlencoded"
      headers["Content-Length"] = String(body.utf8.count)
      headers["Origin"] = web.origin
    }
    headers.merge(changes) { $1 }
    let fields = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
    let text = "\(method) \(path) HTTP/1.1\r\n\(fields)\r\n\(body ?? "")"
    var answer = try await RawHTTP.exchange(text, at: .port(web.port))
    // As browsers do if a connection ends without an answer, which the tunnel's may on a busy machine.
    for _ in 0..<3 where method == "GET" && answer.status == 0 { answer = try await RawHTTP.exchange(text, at: .port(web.port)) }
    return answer
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}
