import CoordinatorBus
import CoordinatorClient
import Languages
import RendererKit

/// Admits browsers.
extension Site {
  func letIn(_ request: HTTPRequest, _ route: Route?) -> HTTPResponse {
    guard request.method == .get, route == .home, let origin = access.origin(of: request),
      let session = access.enter(with: request.query[Links.tokenName])
    else { return .page(PlainPage.stranger(links).html, status: .forbidden) }
    var response = HTTPResponse.page(EntryPage(links: links, target: firstPage).html)
    response.headers.append(access.cookie(for: session, at: origin))
    return response
  }

  /// Handles an entry URL opened by a browser with a session: uses the token up, and redirects to hide it.
  func enterAgain(with token: String, _ session: Session) -> HTTPResponse {
    access.enter(with: token, as: session.cookie).map { .seeOther(firstPage(for: $0)) } ?? .seeOther(firstPage)
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
    let isKnown = access.knows(code)
    return .page(EntryPage(links: links, target: links.entry(withCode: code)).html, status: isKnown ? .ok : .forbidden)
  }

  /// Admits a browser with a code, and uses the code up. A browser that has a session keeps it, even if the code is worthless,
  /// because it may have reopened the page that admitted it before.
  func enter(withCode code: String, _ session: Session?, _ request: HTTPRequest) async -> HTTPResponse {
    guard let origin = access.origin(of: request), let code = EntryCode.typed(code),
      let (entered, pass) = access.enter(withCode: code, as: session?.cookie)
    else { return session == nil ? .page(PlainPage.expired(links).html, status: .forbidden) : .seeOther(firstPage) }
    if let tree = pass.tree, let path = try? Contract.flowPath(root: tree) { await trees.known(path)?.entered(pass.number) }
    var response = HTTPResponse.seeOther(pass.tree.map { links.tree($0) } ?? firstPage(for: entered))
    response.headers.append(access.cookie(for: entered, at: origin))
    return response
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
    if !visit.request.isSafe, page.isConnected, let (entry, pass) = access.invite(to: tree, by: visit.session.cookie) {
      (page.entry, page.code) = (entry, pass.number)
    }
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
