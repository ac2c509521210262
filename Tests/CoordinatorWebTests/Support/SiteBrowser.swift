import CoordinatorClient
import Platform
import RendererKit
import TestBus
import Testing

@testable import CoordinatorWeb

/// A browser that a site has let in, without a network in between.
struct SiteBrowser: Sendable {
  let site: Site
  /// The addresses that the site has announced so far.
  let entries: Lock<[String]>
  let cookie: String
  let prefix: String
  let session: Session

  /// Opens the first page of a site for the flows of a daemon.
  static func open(_ bus: PrivateBus, scope: Scope = .everything, policy: KioskPolicy = .none) async throws -> SiteBrowser {
    let client = try await DaemonClient.connect(to: .address(bus.address))
    let entries = Lock<[String]>([])
    let site = Site(daemon: client, scope: scope, origins: [.loopback(port: 80)], policy: policy) { entry in
      entries.withLock { $0.append(entry.address) }
    }
    let entry = try #require(entries.withLock { $0.last })
    let prefix = String(try #require(entry.split(separator: "/").dropFirst(2).first))
    let token = String(try #require(entry.split(separator: "=").last))
    let entered = await site.answer(
      HTTPRequest(method: .get, path: [prefix], query: ["token": token], headers: ["Host": "127.0.0.1"]))
    let cookie = try #require(entered.headers.first { $0.name == "Set-Cookie" }?.value.split(separator: ";").first)
    let session = try #require(site.access.session(for: [String(cookie.split(separator: "=")[1])]))
    return SiteBrowser(site: site, entries: entries, cookie: String(cookie), prefix: prefix, session: session)
  }

  /// Gets a page below the entrance.
  func get(_ path: String..., accepting languages: String? = nil) async -> HTTPResponse {
    var headers: HTTPHeaders = ["Host": "127.0.0.1", "Cookie": cookie]
    if let languages { headers.add("Accept-Language", languages) }
    return await site.answer(HTTPRequest(method: .get, path: [prefix] + path, headers: headers))
  }

  /// Posts a form to a page below the entrance.
  func post(_ path: String..., fields: [(String, String)] = []) async -> HTTPResponse {
    let form = ([("token", session.csrf.text)] + fields).map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    let headers: HTTPHeaders = [
      "Host": "127.0.0.1", "Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded",
    ]
    return await site.answer(HTTPRequest(method: .post, path: [prefix] + path, headers: headers, body: Array(form.utf8)))
  }
}

extension HTTPResponse {
  /// The text of the body; empty for events.
  var text: String { if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { "" } }
}
