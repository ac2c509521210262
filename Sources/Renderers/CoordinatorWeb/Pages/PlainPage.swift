/// A page that says one thing.
struct PlainPage: Sendable {
  let links: Links
  let title: String
  let text: String
  var isInside = true
  /// The page that is to be tried again and again, until it is there.
  var awaited: String?

  /// The page.
  var html: HTML {
    Shell(links: links, title: title, isInside: isInside, awaited: awaited).page {
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
  /// For somebody who was not let in.
  static func stranger(_ links: Links) -> PlainPage {
    PlainPage(
      links: links, title: "Not let in",
      text: "Open the address that coordinator-web has printed last. Each address lets one browser in.", isInside: false)
  }

  static func notFound(_ links: Links) -> PlainPage {
    PlainPage(links: links, title: "Page not found", text: "There is nothing at this address.")
  }

  /// For a page that cannot be made now; another that it leads to is tried again.
  static func daemonAway(_ links: Links, awaiting page: String) -> PlainPage {
    PlainPage(
      links: links, title: "coordinatord is not running", text: "This page goes on by itself as soon as it runs.", awaited: page)
  }

  static func crowded(_ links: Links) -> PlainPage {
    PlainPage(links: links, title: "Too much at once", text: "Close some pages, and load this one again.")
  }

  static func failed(_ links: Links, _ text: String) -> PlainPage {
    PlainPage(links: links, title: "That did not work", text: text)
  }

  /// For a screen that this renderer does not know how to show.
  static func unshowable(_ links: Links) -> PlainPage {
    PlainPage(
      links: links, title: "This page cannot be shown here",
      text: "It asks for something that browsers cannot do. Please answer it in another renderer, such as coordinator-tui.")
  }
}

/// What the first address leads to: sets the cookie, and goes on at once.
///
/// Not a redirection: with one a browser that came from elsewhere, from a file or a chat, would not send a strict cookie.
struct EntryPage: Sendable {
  let links: Links
  /// The page that is wanted.
  let target: String

  /// The page.
  var html: HTML {
    .document(
      tag("html", Attribute("lang", "en")) {
        tag("head") {
          void("meta", Attribute("charset", "utf-8"))
          void("meta", Attribute("http-equiv", "refresh"), Attribute("content", "0; url=\(target)"))
          tag("title") { "coordinatord" }
        }
        tag("body") { tag("main") { tag("p") { tag("a", Attribute("href", target)) { "Continue" } } } }
      })
  }
}
