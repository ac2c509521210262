import CoordinatorClient
import Languages
import RendererKit

/// The list of running flows, and of flows that can be started.
struct HomePage: Sendable {
  let links: Links
  let token: FormToken
  let home: Home
  /// The searched text; empty to show everything.
  var find = ""
  /// The current time, in microseconds since 1970.
  let now: UInt64

  /// The name of the search in the URL.
  static let findName = "find"
  /// The minimum number of entries for which there is a search.
  private static let fewest = 6
  /// The maximum number of running flows listed, newest first.
  private static let longest = 100

  /// The page.
  var html: HTML {
    let title = Text("Flows").string
    let matches = home.filter(at: now).matches(find)
    let entries = home.entries
    let running = matches.rows.filter { $0 < home.running.count }
    let startable = matches.rows.filter { $0 >= home.running.count }
    return Shell(links: links, title: title, isHome: true).page(
      Attribute("data-here", links.home), Attribute("data-tree", links.home), Attribute("data-events", links.homeEvents)
    ) {
      tag("div", .class("home")) {
        tag("h1", .id("title"), Attribute("tabindex", "-1"), .english) { title }
        if entries.count >= Self.fewest || !find.isEmpty { search(matches) }
        tag(
          "section", .id("running"), .class("running"), Attribute("aria-labelledby", "running-title"),
          .flag("hidden", running.isEmpty)
        ) {
          heading("running-title", .running)
          tag("ul", .id("running-flows"), .class("choices")) {
            for index in running.prefix(Self.longest) { row(entries[index], matches, isBest: matches.best == index) }
          }
          if running.count > Self.longest {
            let more = running.count - Self.longest
            tag("p", .class("hint"), .english) {
              Text(one: "And {count} older one.", other: "And {count} older ones.", count: more).string
            }
          }
        }
        tag("section", .id("start"), Attribute("aria-labelledby", "start-title"), .flag("hidden", startable.isEmpty)) {
          heading("start-title", .startable)
          tag("ul", .id("startable-flows"), .class("choices")) {
            for index in startable { row(entries[index], matches, isBest: matches.best == index) }
          }
        }
        if entries.isEmpty { tag("p", .id("nothing"), .class("nothing"), .english) { Text("There is nothing to start.").string } }
      }
    }
  }

  private func search(_ matches: RowMatches) -> HTML {
    tag(
      "form", .id("find"), .class("search"), Attribute("role", "search"), Attribute("method", "get"),
      Attribute("action", links.home)
    ) {
      tag("label", .class("aside"), Attribute("for", "find-text"), .english) { Text("Find a flow").string }
      void(
        "input", .id("find-text"), Attribute("type", "search"), Attribute("name", Self.findName), Attribute("value", find),
        Attribute("placeholder", Text("Find a flow").string), Attribute("autocomplete", "off"), Attribute("spellcheck", "false"),
        Attribute("enterkeyhint", "go"), Attribute("maxlength", "200"), Attribute("aria-describedby", "find-count"),
        Attribute("dir", "auto"))
      tag("p", .id("find-count"), .class("hint"), Attribute("role", "status"), .english) { words(matches) }
    }
  }

  private func words(_ matches: RowMatches) -> String {
    if matches.isEverything { return "" }
    return matches.rows.isEmpty ? Text("Nothing matches “{text}”.", ["text": find]).string : matches.count
  }

  private func heading(_ id: String, _ group: HomeGroup) -> HTML { tag("h2", .id(id), .english) { group.title } }

  private func row(_ entry: HomeEntry, _ matches: RowMatches, isBest: Bool) -> HTML {
    switch entry {
    case .running(let flow): running(flow, entry, matches, isBest: isBest)
    case .startable(let flow): startable(flow, entry, matches, isBest: isBest)
    }
  }

  private func running(_ flow: RunningFlow, _ entry: HomeEntry, _ matches: RowMatches, isBest: Bool) -> HTML {
    tag("li", .id("tree-\(flow.name)")) {
      tag(
        "a", .class("choice-button"), Attribute("href", links.tree(flow.name)), .flag("data-best", isBest)
      ) { texts(of: entry, matches) }
    }
  }

  private func startable(_ flow: FlowListing, _ entry: HomeEntry, _ matches: RowMatches, isBest: Bool) -> HTML {
    tag("li", .id("flow-\(flow.name)")) {
      if flow.input?.fields.isEmpty ?? true {
        tag("form", Attribute("method", "post"), Attribute("action", links.flows)) {
          token.hidden(("flow", flow.name), ("request", Token().text))
          tag("button", .class("choice-button"), .flag("data-best", isBest)) { texts(of: entry, matches) }
        }
      } else {
        tag(
          "a", .class("choice-button"), Attribute("href", links.input(of: flow.name)), .flag("data-best", isBest)
        ) { texts(of: entry, matches) }
      }
    }
  }

  @HTMLBuilder private func texts(of entry: HomeEntry, _ matches: RowMatches) -> HTML {
    let title = entry.title(in: home.language)
    let details = entry.details(in: home.language, at: now)
    let marks = matches.isEverything ? nil : matches.marks(title: title.text)
    tag("span", .class("choice-title"), .ofFlow(in: title.language)) {
      MarkedText(text: title.text, ranges: marks?.title ?? []).html
    }
    switch entry {
    case .running:
      tag("span", .class("choice-subtitle"), .english) {
        for (index, detail) in details.enumerated() { tag("bdi") { index > 0 ? " · " + detail : detail } }
      }
    case .startable(let flow):
      let summary = flow.summary(in: home.language)
      if !summary.text.isEmpty { tag("span", .class("choice-subtitle"), .ofFlow(in: summary.language)) { summary.text } }
    }
  }
}

/// The groups of the list of flows.
private enum HomeGroup {
  case running, startable

  var title: String {
    switch self {
    // TRANSLATORS: The heading of the flows that run.
    case .running: Text("Running").string
    // TRANSLATORS: The heading of the flows that can be started.
    case .startable: Text("Start", context: "heading").string
    }
  }
}
