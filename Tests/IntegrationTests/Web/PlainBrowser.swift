import Foundation

/// A browser without scripts: follows redirections, and sends the forms of the page that it shows.
final class PlainBrowser {
  let web: RunningWeb
  let cookie: String
  /// Where it is.
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

  /// The value of a hidden control.
  func hidden(_ name: String) -> String { between("name=\"\(name)\" value=\"", "\"") }

  /// The text between two others: from the first start on, or from the one that is closest to the end.
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

  /// Goes to a path below the entrance, or to a whole one.
  func go(_ path: String) async throws {
    var target = path.hasPrefix("/") ? path : web.base + path
    page = try await request("GET", target)
    while page.status == 303, let location = page["location"] {
      target = location
      page = try await request("GET", target)
    }
    self.path = String(target.prefix { $0 != "?" })
  }

  /// Goes to a path again and again until the page there has a title: the server hears a moment later what others do.
  func go(_ path: String, until title: String) async throws {
    try await go(path)
    while self.title != title {
      try Task.checkCancellation()
      try await go(path)
    }
  }

  /// Sends a form to a path, without following where that leads.
  func post(_ path: String, _ fields: KeyValuePairs<String, String>, token: String? = nil) async throws -> RawHTTP.Answer {
    let all = [("token", token ?? hidden("token"))] + fields.map { ($0, $1) }
    let body = all.map { "\(Self.encoded($0.0))=\(Self.encoded($0.1))" }.joined(separator: "&")
    return try await request("POST", path, body: body)
  }

  /// Presses a button of the screen that is shown; `name` is what it begins to be called with.
  func press(_ event: String, _ fields: KeyValuePairs<String, String> = [:], name: String = "event") async throws {
    let button = between("<button name=\"\(name).", "\" value=\"\(Self.escaped(event))\"", closest: true)
    let known =
      [("seen", hidden("seen")), (button.isEmpty ? name : "\(name).\(button)", event)] + fields.map { ("field." + $0, $1) }
    let body = ([("token", hidden("token"))] + known).map { "\(Self.encoded($0.0))=\(Self.encoded($0.1))" }.joined(separator: "&")
    try await follow(try await request("POST", path, body: body))
  }

  /// Presses Back on the page.
  func goBack() async throws { try await follow(try await post(path + "/back", [:])) }

  /// Goes where an answer leads.
  func follow(_ answer: RawHTTP.Answer) async throws {
    page = answer
    if answer.status == 303, let location = answer["location"] { try await go(location) }
  }

  /// Sends a request with the cookie, and header fields that can be replaced.
  func request(_ method: String, _ path: String, _ changes: [String: String] = [:], body: String? = nil) async throws
    -> RawHTTP.Answer
  {
    var headers = ["Host": web.host, "Cookie": cookie]
    if let body {
      headers["Content-Type"] = "application/x-www-form-urlencoded"
      headers["Content-Length"] = String(body.utf8.count)
      headers["Origin"] = "http://" + web.host
    }
    headers.merge(changes) { $1 }
    let fields = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
    return try await RawHTTP.exchange("\(method) \(path) HTTP/1.1\r\n\(fields)\r\n\(body ?? "")", at: .port(web.port))
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}
