import Languages
import RendererKit

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
