/// What is around the main part of every page.
struct Shell: Sendable {
  let links: Links
  /// What the browser shows as the page's title.
  let title: String
  /// Whether something is wrong, which the title then says first.
  var hasError = false
  /// Whether the page looks again after a while where there is no script.
  var isRefreshing = false
  /// Whether the page is for somebody who was let in.
  var isInside = true
  /// Whether the daemon is away, which the page says.
  var isAway = false
  /// Which way the page is read.
  var direction = TextDirection.leftToRight
  /// The page that is to be tried again and again, until it is there.
  var awaited: String?

  /// The page.
  ///
  /// - Parameters:
  ///   - attributes: What the script reads of the main part.
  ///   - content: The main part.
  /// - Returns: The whole of it.
  func page(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    let main = tag("main", [.id("main"), Attribute("data-awaited", awaited)] + attributes, content: content)
    return .document(
      tag("html", Attribute("lang", "en"), Attribute("dir", direction.rawValue)) {
        tag("head") { head }
        tag("body") {
          header
          tag("p", .id("away"), .class("away"), Attribute("role", "status"), .flag("hidden", !isAway)) {
            "The connection to the flow is lost. This page goes on by itself as soon as it is back."
          }
          main
        }
      })
  }

  @HTMLBuilder private var head: HTML {
    void("meta", Attribute("charset", "utf-8"))
    void("meta", Attribute("name", "viewport"), Attribute("content", "width=device-width, initial-scale=1"))
    void("meta", Attribute("name", "color-scheme"), Attribute("content", "light dark"))
    tag("title") { (hasError ? "Error: " : "") + (title.isEmpty ? "" : title + " – ") + "coordinatord" }
    void("link", Attribute("rel", "stylesheet"), Attribute("href", links.stylesheet))
    tag("script", Attribute("src", links.script), .flag("defer"))
    if isRefreshing || isAway || awaited != nil {
      let content = "2" + (awaited.map { "; url=\($0)" } ?? "")
      tag("noscript") { void("meta", Attribute("http-equiv", "refresh"), Attribute("content", content)) }
    }
  }

  @HTMLBuilder private var header: HTML {
    tag("header", .class("site")) {
      if isInside {
        tag("a", Attribute("href", links.home)) { "coordinatord" }
      } else {
        tag("span") { "coordinatord" }
      }
    }
  }
}
