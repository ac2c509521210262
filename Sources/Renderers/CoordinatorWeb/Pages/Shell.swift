import CoordinatorBus
import CoordinatorClient
import Languages
import RendererKit
import Themes

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

/// The name and the logo of the provider of the flows.
struct BrandMarkup: Sendable {
  let look: WebLook
  let links: Links

  /// The markup; nil if the theme has neither. A logo beside the name adds no information, so it has no text.
  var html: HTML? {
    guard look.logo != nil || look.theme.name != nil else { return nil }
    return group {
      if let logo = look.logo {
        tag("picture") {
          if let dark = look.darkLogo {
            void("source", Attribute("srcset", links.path(of: dark)), Attribute("media", "(prefers-color-scheme: dark)"))
          }
          void(
            "img", .class("logo"), Attribute("src", links.path(of: logo)),
            Attribute("alt", look.theme.name == nil ? Text("Logo").string : ""))
        }
      }
      if let name = look.theme.name { tag("span", .class("brand-name"), Attribute("dir", "auto")) { name } }
    }
  }
}

/// The title of a page, as a browser shows it in a tab, and a screen reader reads it first.
struct PageTitle: Sendable, Hashable {
  /// The title.
  let text: String

  /// Composes a title. The most important part comes first, because tabs are narrow.
  ///
  /// - Parameters:
  ///   - page: title of the page.
  ///   - hasError: whether the page has an error.
  ///   - percent: progress of the work on the page, in words; nil if it is not known.
  ///   - isDone: whether the page reports a success.
  ///   - site: name of the provider of the flow; nil for none.
  init(_ page: String, hasError: Bool = false, percent: String? = nil, isDone: Bool = false, site: String?) {
    var title = page
    if let site, site != page { title = title.isEmpty ? site : "\(title) – \(site)" }
    if let percent {
      // TRANSLATORS: The title of a browser's tab while work is done, such as "35% – Installing".
      title = Text("{percent} – {title}", ["percent": percent, "title": title]).string
    }
    if isDone { title = "✓ \(title)" }
    // TRANSLATORS: The title of a page that has mistakes.
    if hasError { title = Text("Error: {title}", ["title": title]).string }
    text = title
  }
}

/// The page of a flow that is held. It is replaced when the flow is no longer held.
struct HeldPage: Sendable {
  let links: Links
  /// The name of the flow tree.
  let tree: String
  let revision: UInt64
  /// The sentence that reports this state.
  let sentence: String

  private var title: Text { "This flow is held" }

  /// The page.
  var html: HTML {
    Shell(links: links, title: title.string, reloadTime: 2).page(
      Attribute("data-here", links.tree(tree)), Attribute("data-tree", links.tree(tree)),
      Attribute("data-events", links.events(of: tree)), Attribute("data-revision", String(revision))
    ) {
      tag("div", .class("tools"))
      tag("section", .class("card"), Attribute("aria-labelledby", "title")) {
        tag("h1", .id("title"), Attribute("tabindex", "-1")) { title }
        tag("p", .class("body"), Attribute("dir", "auto")) { sentence }
        tag("p", .class("links")) { tag("a", Attribute("href", links.home)) { links.homeTitle } }
      }
    }
  }
}

/// The page that asks for confirmation before leaving a screen ends the flow, or may end it, for everyone.
struct EndingPage: Sendable {
  let links: Links
  let tree: String
  let top: PresentedScreen
  let token: FormToken
  /// The language of the screens.
  private let language: LanguageTag
  private let step: LeavingStep
  private let question: String

  /// Creates the page; nil if the screen is not the top one, or if nothing is lost by leaving it.
  init?(of id: UInt64, in window: MirroredWindow, of tree: String, links: Links, token: FormToken) {
    let step = LeavingStep(in: window)
    guard let top = window.top, top.id == id, let question = step.question, !(step == .end && links.isLocked) else { return nil }
    self.step = step
    language = window.language
    self.question = question
    self.links = links
    self.tree = tree
    self.top = top
    self.token = token
  }

  /// The page.
  var html: HTML {
    Shell(links: links, title: question).page(
      Attribute("data-here", links.ending(top.id, of: tree)), Attribute("data-tree", links.tree(tree))
    ) {
      tag("div", .class("tools"))
      tag("section", .class("card"), Attribute("aria-labelledby", "title")) {
        tag("h1", .id("title"), Attribute("tabindex", "-1")) { question }
        tag("p", .class("body")) {
          HTML(
            step == .end
              ? Text("“{title}” is the first screen: there is nothing to go back to.")
              : Text("“{title}” is the only screen at the moment."),
            ["title": tag("bdi", .ofFlow(in: language)) { top.screen.title }])
          " " + Text("To leave it as it is and come back later, just close this page.").string
        }
        tag("form", .id("ending"), Attribute("method", "post"), Attribute("action", links.ending(top.id, of: tree))) {
          token.hidden(("request", Token().text))
          tag("div", .class("actions")) {
            // The first control, so that a key pressed too often does not end the flow.
            tag("a", .class("button primary"), Attribute("href", links.tree(tree)), .flag("autofocus")) {
              step == .end ? Text("Keep it") : Text("Stay here")
            }
            tag("button", .class("destructive")) { step == .end ? Text("End it") : Text("Go back") }
          }
        }
      }
    }
  }
}

/// The overlay that lists the keys of all pages, and the button that opens it. Only the script shows them.
struct KeysHelp: Sendable {
  private var keys: [(keys: [Text], meaning: Text)] {
    [
      ([Text("Enter", context: "key")], Text("Choose, or send what is typed")),
      (
        [Text("Tab", context: "key"), Text("Shift+Tab", context: "key")], Text("Go to the next or the previous part of the page")
      ),
      (
        [
          Text(verbatim: "↑"), Text(verbatim: "↓"), Text("Home", context: "key"), Text("End", context: "key"),
          Text("PgUp", context: "key"), Text("PgDn", context: "key"),
        ], Text("Move through the rows of a list")
      ),
      ([Text("1 to 9", context: "key")], Text("Choose from a menu or a short list")),
      ([Text(verbatim: "/")], Text("Search a long list; in the list itself, just type")),
      ([Text("Space", context: "key")], Text("Check a box")),
      ([Text("Esc", context: "key")], Text("Close a question, clear a search, or go back; before a flow ends, you are asked")),
      ([Text(verbatim: "?")], Text("Show these keys")),
    ]
  }

  /// The markup.
  var html: HTML {
    group {
      tag("p", .id("keys-button"), .class("keys-button"), .english, .flag("hidden")) {
        tag("button", .id("keys-open"), .class("quiet-button"), Attribute("type", "button"), Attribute("aria-haspopup", "dialog"))
        {
          Text("Keyboard shortcuts").string
        }
      }
      tag("dialog", .id("keys"), .class("keys"), .english, Attribute("aria-labelledby", "keys-title")) {
        tag("h2", .id("keys-title"), Attribute("tabindex", "-1")) { Text("Keyboard shortcuts").string }
        tag("dl") {
          for (keys, meaning) in keys {
            tag("div") {
              tag("dt") {
                for key in keys { tag("kbd") { key.string } }
              }
              tag("dd") { meaning.string }
            }
          }
        }
        tag("label", .class("choice")) {
          void("input", .id("keys-single"), Attribute("type", "checkbox"))
          tag("span") { Text("Use the keys 1 to 9, / and ?, and search a list by typing").string }
        }
        tag("p", .class("actions")) {
          tag("button", .id("keys-close"), Attribute("type", "button")) { Text("Close").string }
        }
      }
    }
  }
}

extension Attribute {
  /// Returns the attribute for the digit that presses a control with the script; omitted if it is not one of 1 to 9.
  static func key(_ key: Int?) -> Attribute {
    Attribute("data-key", key.flatMap { (1...9).contains($0) ? String($0) : nil })
  }
}
