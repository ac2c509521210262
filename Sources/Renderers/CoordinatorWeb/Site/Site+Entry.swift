import CoordinatorBus
import CoordinatorClient
import Languages
import Platform
import RendererKit

/// Admits browsers, and determines the addresses for them.
extension Site {
  // MARK: Addresses

  /// Decides about a request. An unknown address of the server may be one that this machine has received since.
  func verdict(on request: HTTPRequest, _ session: Session?) -> RequestGuard.Verdict {
    let verdict = gate.withLock { $0.verdict(on: request, session: session) }
    guard verdict == .refused(.wrongHost), isOnNetwork, knownOrigins != currentOrigins() else { return verdict }
    return gate.withLock { $0.verdict(on: request, session: session) }
  }

  /// The origins as of the last query.
  var knownOrigins: [Origin] { gate.withLock { $0.origins } }

  /// Queries the origins, which change with the addresses of this machine.
  @discardableResult
  func currentOrigins() -> [Origin] {
    let current = origins()
    gate.withLock { $0.origins = current }
    return current
  }

  /// Returns the origin that a request was sent to; nil if it is not an origin of this server.
  func origin(of request: HTTPRequest) -> Origin? { gate.withLock { $0.origin(of: request) } }

  // MARK: Entry

  func letIn(_ request: HTTPRequest, _ route: Route?) -> HTTPResponse {
    guard request.method == .get, route == .home, let origin = origin(of: request),
      let session = sessions.withLock({ $0.enter(with: request.query[Links.tokenName]) })
    else { return .page(PlainPage.stranger(links).html, status: .forbidden) }
    announceEntry(.use)
    var response = HTTPResponse.page(EntryPage(links: links, target: firstPage).html)
    response.headers.append(("Set-Cookie", entrance.cookie(for: session, at: origin)))
    return response
  }

  /// Handles an entry URL opened by a browser with a session: uses the token up, and redirects to hide it.
  func enterAgain(with token: String, _ session: Session) -> HTTPResponse {
    guard let entered = sessions.withLock({ $0.enter(with: token, as: session.cookie) }) else { return .seeOther(firstPage) }
    announceEntry(.use)
    return .seeOther(firstPage(for: entered))
  }

  /// Returns the first page of a browser that has just been admitted, which may see more now than at its request.
  private func firstPage(for session: Session) -> String { Self.$reach.withValue(session.reach) { firstPage } }

  var firstPage: String {
    if let tree = Self.reach.tree ?? scope.tree.map(TreeSelector.name) { return links.tree(tree) }
    if case .offer(let offered) = scope { return links.input(of: offered.offer.flow.name) }
    return links.home
  }

  /// Handles the address of a code: redirects to a path to which a browser also sends its session cookie.
  func lead(withCode code: String, _ request: HTTPRequest) -> HTTPResponse {
    guard request.method == .get else { return .page(PlainPage.expired(links).html, status: .forbidden) }
    let isKnown = sessions.withLock { $0.knows(code) }
    return .page(EntryPage(links: links, target: links.entry(withCode: code)).html, status: isKnown ? .ok : .forbidden)
  }

  /// Admits a browser with a code, and uses the code up. A browser that has a session keeps it, even if the code is worthless,
  /// because it may have reopened the page that admitted it before.
  func enter(withCode code: String, _ session: Session?, _ request: HTTPRequest) async -> HTTPResponse {
    guard let origin = origin(of: request), let code = EntryCode.typed(code),
      let (entered, pass) = sessions.withLock({ $0.enter(withCode: code, as: session?.cookie) })
    else { return session == nil ? .page(PlainPage.expired(links).html, status: .forbidden) : .seeOther(firstPage) }
    if pass == announced.withLock({ $0 }) { announceEntry(.use) }
    if let tree = pass.tree, let path = try? Contract.flowPath(root: tree) { await trees.known(path)?.entered(pass.number) }
    var response = HTTPResponse.seeOther(pass.tree.map { links.tree($0) } ?? firstPage(for: entered))
    response.headers.append(("Set-Cookie", entrance.cookie(for: entered, at: origin)))
    return response
  }

  /// Issues an address that admits a phone to a tree; nil if this machine has no address that a phone could reach.
  func invite(to tree: String, _ visit: Visit) -> (entry: EntryAddress, pass: Passes.Pass)? {
    guard isConnected(), let origin = currentOrigins().first else { return nil }
    let pass = sessions.withLock { $0.issuePass(to: tree, by: visit.session.cookie) }
    return (EntryAddress(origin, pass.code, .start), pass)
  }

  func announceEntry(_ occasion: EntryAddress.Occasion) {
    guard let origin = currentOrigins().first else { return }
    guard isOnNetwork else { return announce(EntryAddress(origin, path: links.entry(sessions.withLock { $0.entry }), occasion)) }
    // Issued and recorded in one step: of two codes, the first one becomes worthless, and must not be recorded last.
    let pass = announced.withLock { announced in
      let pass = sessions.withLock { $0.issuePass() }
      announced = pass
      return pass
    }
    announce(EntryAddress(origin, pass.code, occasion))
  }

  /// Announces a new address whenever the announced one has expired, until the task is cancelled. Returns at once if addresses
  /// do not expire.
  ///
  /// - Parameter ask: closure that waits until a user wants another address, and returns whether a user can still be asked; nil
  ///   to announce a new address at once, which is also done when no user can be asked any more.
  func renewEntries(_ ask: (@Sendable () async -> Bool)? = nil) async {
    var ask = ask
    while let pass = announced.withLock({ $0 }) {
      do {
        try await Task.sleep(until: pass.expiry, clock: .continuous)
      } catch {
        return
      }
      guard pass == announced.withLock({ $0 }) else { continue }
      if let asking = ask, await !asking() { ask = nil }
      if Task.isCancelled { return }
      announceEntry(.expiry)
    }
  }
}

/// Continues a flow on a phone.
extension Site {
  /// Shows how to continue on a phone (GET), or issues an address for one (POST).
  func phone(of tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    guard path(of: tree) != nil else { return unseen(tree) }
    guard isReachable else { return notFound }
    var page = PhonePage(links: links, tree: tree, token: visit.token)
    page.fingerprint = fingerprint()
    page.isConnected = isConnected()
    page.idle = await idleMarkup(of: tree, visit)
    if !visit.request.isSafe, let (entry, pass) = invite(to: tree, visit) { (page.entry, page.code) = (entry, pass.number) }
    let language = try await looking(at: tree) { watch throws(ClientError) in await watch.view?.language }
    let shown = page
    return .page(language.map { languages.speaking($0) { shown.html } } ?? shown.html)
  }

  /// Returns the person that a browser stands for, in the language of the page.
  func visitor(of visit: Visit) -> Visitor {
    Visitor(id: visit.session.cookie, name: BrowserName.name(userAgent: visit.request.headers["user-agent"]) ?? "Browser")
  }
}

/// The name that other people see of a browser: "Safari on iPhone", "Firefox on Linux".
///
/// It is made from the User-Agent field, which any client may invent: only known words become part of it.
enum BrowserName {
  /// Builds the name of a browser.
  ///
  /// - Parameter userAgent: value of the header field; nil if it is absent.
  /// - Returns: the name; nil if neither the browser nor the machine is known.
  static func name(userAgent: String?) -> String? {
    guard let userAgent else { return nil }
    let browser = browsers.first { userAgent.bytes.contains($0.sign) }?.name
    let machine = machines.first { userAgent.bytes.contains($0.sign) }?.name
    switch (browser, machine) {
    case (let browser?, let machine?): return "\(browser) on \(machine)"
    case (let name?, nil), (nil, let name?): return name
    case (nil, nil): return nil
    }
  }

  private typealias Sign = (sign: String, name: String)

  /// Browsers also name their predecessors in the field, so the newest sign takes precedence.
  private static let browsers: [Sign] = [
    ("SamsungBrowser/", "Samsung Internet"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("Edg/", "Edge"), ("OPR/", "Opera"),
    ("FxiOS/", "Firefox"), ("Firefox/", "Firefox"), ("CriOS/", "Chrome"), ("HeadlessChrome/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"), ("Safari/", "Safari"), ("w3m/", "w3m"), ("Lynx/", "Lynx"), ("Links ", "Links"),
  ]

  private static let machines: [Sign] = [
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
    ("Macintosh", "Mac"), ("Linux", "Linux"),
  ]
}

/// A page with a single statement.
struct PlainPage: Sendable {
  let links: Links
  let title: String
  let text: String
  var isInside = true
  /// The page to retry until it can be served.
  var awaited: String?

  /// The page.
  var html: HTML {
    Shell(links: links, title: title, isInside: isInside, awaited: awaited).page {
      tag("div", .class("tools"))
      tag("div", .class("card")) {
        tag("h1") { title }
        tag("p") { text }
        if isInside {
          tag("p", .class("links")) { tag("a", Attribute("href", links.home)) { links.homeTitle } }
        }
      }
    }
  }
}

extension PlainPage {
  /// Returns the page for a browser without a session.
  static func stranger(_ links: Links) -> PlainPage {
    PlainPage(
      links: links, title: Text("This address does not let you in").string,
      text: Text("Each address lets in one browser. Ask for a new one, or open the newest one that was shown.").string,
      isInside: false)
  }

  /// Returns the page for an address with a code that is invalid or expired.
  static func expired(_ links: Links) -> PlainPage {
    PlainPage(
      links: links, title: Text("This address no longer works").string,
      text: Text("Each address works once, for ten minutes. Scan the code that is shown now.").string, isInside: false)
  }

  static func notFound(_ links: Links) -> PlainPage {
    PlainPage(links: links, title: Text("Page not found").string, text: Text("There is nothing at this address.").string)
  }

  /// Returns the page shown while the daemon is away. It retries another page until that can be served.
  static func daemonAway(_ links: Links, awaiting page: String) -> PlainPage {
    PlainPage(
      links: links, title: Text("There is no connection at the moment").string,
      text: Text("This page goes on by itself as soon as the connection is back.").string,
      awaited: page)
  }

  static func crowded(_ links: Links) -> PlainPage {
    PlainPage(links: links, title: Text("Too many requests").string, text: Text("Close some pages, and reload this one.").string)
  }

  static func failed(_ links: Links, _ text: String) -> PlainPage {
    PlainPage(links: links, title: Text("Something went wrong").string, text: text)
  }

  /// Returns the page for a screen that this renderer cannot decode.
  static func unshowable(_ links: Links) -> PlainPage {
    PlainPage(
      links: links, title: Text("This page cannot be shown here").string,
      text: Text("It asks for something that this page cannot draw. Please answer it in a terminal.").string)
  }
}

/// The page behind the entry URL. It sets the cookie and continues at once.
///
/// It is not a redirect: after a redirect, a browser that came from elsewhere, such as a file or a chat, would not send a
/// `SameSite=Strict` cookie.
struct EntryPage: Sendable {
  let links: Links
  /// The page to continue to.
  let target: String

  /// The page.
  var html: HTML {
    .document(
      tag("html", Attribute("lang", (Translation.current?.tag ?? .english).bcp47)) {
        tag("head") {
          void("meta", Attribute("charset", "utf-8"))
          void("meta", Attribute("http-equiv", "refresh"), Attribute("content", "0; url=\(target)"))
          // Without it, browsers request /favicon.ico, which is refused.
          void("link", Attribute("rel", "icon"), Attribute("href", links.path(of: links.look.icon)))
          tag("title") { links.look.theme.name ?? "…" }
        }
        tag("body") { tag("main") { tag("p") { tag("a", Attribute("href", target)) { Text("Continue") } } } }
      })
  }
}
