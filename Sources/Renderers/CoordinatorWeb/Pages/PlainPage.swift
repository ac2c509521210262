import Languages

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
