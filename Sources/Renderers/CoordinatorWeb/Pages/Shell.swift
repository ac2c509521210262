import Languages
import RendererKit

/// The frame around the main part of every page.
struct Shell: Sendable {
  let links: Links
  /// The title of the page.
  let title: String
  /// Whether the page has an error, which its title then states first.
  var hasError = false
  /// The progress of the work on the page, from 0 to 1; nil if it is not known.
  var fraction: Double?
  /// Whether the page reports a success.
  var isDone = false
  /// The number of seconds after which the page reloads if JavaScript is disabled; nil if it does not.
  var reloadTime: UInt64?
  /// Whether the browser has a session.
  var isInside = true
  /// Whether the page is the list of flows.
  var isHome = false
  /// Whether the daemon is away, which the page reports.
  var isAway = false
  /// The language of most of the page's text: that of a flow, or of the renderer's own words.
  var language = Translation.current?.tag ?? .english
  /// The base direction of the page, if it is not that of the language.
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
    let main = tag(
      "main", [.id("main"), Attribute("tabindex", "-1"), Attribute("data-awaited", awaited)] + attributes, content: content)
    return .document(
      tag(
        "html", Attribute("lang", language.bcp47), Attribute("dir", (language.isRightToLeft ? .rightToLeft : direction).rawValue)
      ) {
        tag("head") { head }
        tag("body") {
          tag("a", .class("skip"), Attribute("href", "#main"), .english) { Text("Skip to the content").string }
          tag("p", .id("away"), .class("away"), Attribute("role", "status"), .english, .flag("hidden", !isAway)) {
            tag("span") {
              Text("The connection was lost. This page goes on by itself as soon as the connection is back.").string
            }
          }
          header
          main
          if isInside { KeysHelp().html }
          // The text with which the script announces automatic changes to screen readers.
          tag("p", .id("live"), .class("aside"), Attribute("role", "status"))
        }
      })
  }

  /// Returns the title of the page for a progress in words.
  func pageTitle(_ percent: String?) -> String {
    PageTitle(title, hasError: hasError, percent: percent, isDone: isDone, site: links.look.theme.name).text
  }

  @HTMLBuilder private var head: HTML {
    void("meta", Attribute("charset", "utf-8"))
    void("meta", Attribute("name", "viewport"), Attribute("content", "width=device-width, initial-scale=1"))
    void("meta", Attribute("name", "color-scheme"), Attribute("content", "light dark"))
    tag("title") { pageTitle(fraction.map(Percentage.text(of:))) }
    void("link", Attribute("rel", "stylesheet"), Attribute("href", links.stylesheet))
    // Before the page is drawn, in browsers that know `blocking`, because the script decides from which side the page appears,
    // and records the visit. It does not delay the parsing of the rest of the page.
    tag("script", Attribute("src", links.path(of: links.look.motion)), .flag("defer"), Attribute("blocking", "render"))
    tag("script", Attribute("src", links.script), .flag("defer"))
    let icon = isDone ? links.look.doneIcon : links.look.icon
    void(
      "link", .id("icon"), Attribute("rel", "icon"), Attribute("type", icon.mediaType), Attribute("href", links.path(of: icon)))
    if let seconds = isAway || awaited != nil ? 2 : reloadTime {
      let content = "\(seconds)" + (awaited.map { "; url=\($0)" } ?? "")
      tag("noscript") { void("meta", Attribute("http-equiv", "refresh"), Attribute("content", content)) }
    }
  }

  /// Whether the page leads to the list of flows.
  private var leadsHome: Bool { isInside && !isHome && !links.isForOneFlow }

  private var header: HTML {
    tag("header", .class("site")) {
      if let brand = BrandMarkup(look: links.look, links: links).html {
        if leadsHome {
          tag("a", .class("brand"), Attribute("href", links.home)) { brand }
        } else {
          tag("span", .class("brand")) { brand }
        }
      }
      if leadsHome { tag("a", .class("onwards"), Attribute("href", links.home), .english) { links.homeTitle } }
    }
  }
}
