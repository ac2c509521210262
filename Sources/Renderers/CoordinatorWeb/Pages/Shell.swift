import Languages

/// The frame around the main part of every page.
struct Shell: Sendable {
  let links: Links
  /// The title of the page.
  let title: String
  /// Whether the page has an error, which its title then states first.
  var hasError = false
  /// The number of seconds after which the page reloads if JavaScript is disabled; nil if it does not.
  var reloadTime: UInt64?
  /// Whether the browser has a session.
  var isInside = true
  /// Whether the daemon is away, which the page states.
  var isAway = false
  /// The language of most of the page's text.
  var language = LanguageTag.english
  /// The base direction of the page.
  var direction = TextDirection.leftToRight
  /// The page to retry until it can be served.
  var awaited: String?

  /// Returns a whole page.
  ///
  /// - Parameters:
  ///   - attributes: attributes of the main part, which the script reads.
  ///   - content: content of the main part.
  /// - Returns: the page.
  func page(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    let main = tag("main", [.id("main"), Attribute("data-awaited", awaited)] + attributes, content: content)
    return .document(
      tag("html", Attribute("lang", language.bcp47), Attribute("dir", direction.rawValue)) {
        tag("head") { head }
        tag("body") {
          header
          tag("p", .id("away"), .class("away"), Attribute("role", "status"), .english, .flag("hidden", !isAway)) {
            "The connection to the flow was lost. This page continues automatically when the connection is restored."
          }
          main
          if isInside { KeysHelp().html }
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
    if let seconds = isAway || awaited != nil ? 2 : reloadTime {
      let content = "\(seconds)" + (awaited.map { "; url=\($0)" } ?? "")
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
