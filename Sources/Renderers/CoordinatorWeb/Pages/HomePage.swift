import CoordinatorClient
import Languages
import RendererKit

/// The list of running flows, and of flows that can be started.
struct HomePage: Sendable {
  let links: Links
  let token: FormToken
  let flows: [FlowListing]
  let active: [ActiveFlow]
  /// The language of the browser; nil for English.
  var language: LanguageTag?
  /// The current time, in microseconds since 1970.
  let now: UInt64

  /// The maximum number of running flows listed, newest first.
  private static let longest = 100

  /// The page.
  var html: HTML {
    Shell(links: links, title: Text("Flows").string).page(Attribute("data-here", links.home)) {
      tag("h1", .id("title")) { Text("Flows") }
      if !active.isEmpty {
        tag("section", Attribute("aria-labelledby", "running")) {
          tag("h2", .id("running")) { Text("Running") }
          tag("ul", .class("choices")) {
            for flow in newest { tag("li") { running(flow) } }
          }
          if active.count > Self.longest {
            tag("p", .class("hint")) {
              Text(one: "And {count} older one.", other: "And {count} older ones.", count: active.count - Self.longest)
            }
          }
        }
      }
      tag("section", Attribute("aria-labelledby", "start")) {
        tag("h2", .id("start")) { Text("Start") }
        tag("ul", .class("choices")) {
          for flow in flows { tag("li") { startable(flow) } }
        }
      }
    }
  }

  private var newest: [ActiveFlow] { Array(active.sorted { $0.startedAt > $1.startedAt }.prefix(Self.longest)) }

  private func running(_ flow: ActiveFlow) -> HTML {
    let name = TreeSelector.name(flow.coordinator)
    let title = flows.first { $0.name == flow.flow }.map(heading) ?? tag("span", .class("choice-title"), .ofFlow) { flow.flow }
    let age = Age(microseconds: now >= flow.startedAt ? now - flow.startedAt : 0)
    return tag("a", .class("choice-button"), Attribute("href", links.tree(name))) {
      title
      tag("span", .class("choice-subtitle")) { Text("{name}, {age}", ["name": name, "age": age.words]) }
    }
  }

  private func heading(_ flow: FlowListing) -> HTML {
    let title = flow.title(in: language)
    return tag("span", .class("choice-title"), .ofFlow(in: title.language)) { title.text.isEmpty ? flow.name : title.text }
  }

  @HTMLBuilder private func startable(_ flow: FlowListing) -> HTML {
    let title = group {
      heading(flow)
      let summary = flow.summary(in: language)
      if !summary.text.isEmpty { tag("span", .class("choice-subtitle"), .ofFlow(in: summary.language)) { summary.text } }
    }
    if flow.input?.fields.isEmpty ?? true {
      tag("form", Attribute("method", "post"), Attribute("action", links.flows)) {
        token.hidden(("flow", flow.name), ("request", Token().text))
        tag("button", .class("choice-button")) { title }
      }
    } else {
      tag("a", .class("choice-button"), Attribute("href", links.input(of: flow.name))) { title }
    }
  }
}

/// An approximate age.
struct Age: Sendable, Hashable {
  let microseconds: UInt64

  /// The age in words: "5 minutes ago".
  var words: Text {
    let minutes = Int(clamping: microseconds / 60_000_000)
    switch minutes {
    case 0: return "just now"
    case ..<60: return Text(one: "{count} minute ago", other: "{count} minutes ago", count: minutes)
    case ..<1440: return Text(one: "{count} hour ago", other: "{count} hours ago", count: minutes / 60)
    default: return Text(one: "{count} day ago", other: "{count} days ago", count: minutes / 1440)
    }
  }
}
