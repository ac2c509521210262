import CoordinatorClient
import Languages
import RendererKit

/// The page of a flow that has ended.
struct EndPage: Sendable {
  /// The way in which the same flow can be started again.
  enum Again: Sendable {
    /// As another run of the flow that the server was started for.
    case nextRun(FormToken)
    /// From its name, because it needs no input.
    case start(flow: String, FormToken)
    /// After its input has been entered.
    case input(flow: String)
  }

  let links: Links
  let tree: String
  let summary: EndSummary
  /// The title of the flow; nil if it is not known.
  var flow: TextInLanguage?
  /// How the flow can be started again; nil if the page does not offer that.
  var again: Again?
  /// The time after which the flow restarts automatically; nil if it does not.
  var restart: Restart?
  /// Whether the next person may see the page, so that it shows no unsent text.
  var isForNextPerson = false

  /// The page.
  var html: HTML {
    let isDone = if case .finished = summary.end { true } else { false }
    return Shell(
      links: links, title: summary.title, isDone: isDone, reloadTime: restart?.reloadTime
    ).page(
      Attribute("data-here", links.tree(tree)), Attribute("data-tree", links.tree(tree)),
      Attribute("data-restart", restart?.milliseconds), Attribute("data-home", links.home),
      Attribute("data-unsent", isForNextPerson ? nil : Text("Your text was not sent:").string),
      Attribute("data-copy", isForNextPerson ? nil : Text("Copy").string)
    ) {
      tag("div", .class("tools"))
      tag("section", .class("card end \(summary.end.name)"), Attribute("aria-labelledby", "title")) {
        EndSign(end: summary.end).html
        tag("h1", .id("title"), Attribute("tabindex", "-1"), .english) { summary.title }
        if isDone, let flow {
          tag("p", .class("body"), .ofFlow(in: flow.language)) { flow.text }
        } else {
          tag("p", .class("body"), Attribute("dir", "auto")) { summary.explanation }
        }
        decisions
        if let restart { restart.html }
        onwards
      }
    }
  }

  /// The decisions.
  @HTMLBuilder private var decisions: HTML {
    if !summary.rows.isEmpty {
      tag("dl", .class("result")) {
        for row in summary.rows {
          tag("div") {
            tag("dt", .ofFlow(in: nil)) { row.title }
            tag("dd", .class("answer"), .ofFlow(in: nil)) {
              if let date = row.date { DateMarkup(date: date).html } else { row.value }
            }
          }
        }
      }
    }
  }

  /// The links to continue. A server for one flow offers only another run of it.
  @HTMLBuilder private var onwards: HTML {
    let label = Text("Start again").string
    switch again {
    case .nextRun(let token):
      tag("form", .id("again"), Attribute("method", "post"), Attribute("action", links.again(after: tree))) {
        token.hidden()
        tag("div", .class("actions")) { tag("button", .class("primary"), .english) { label } }
      }
    case .start(let flow, let token):
      tag("form", .id("again"), Attribute("method", "post"), Attribute("action", links.flows)) {
        token.hidden(("flow", flow), ("request", Token().text))
        tag("div", .class("actions")) {
          tag("button", .class("primary"), .english) { label }
          home(.class("button"))
        }
      }
    case .input(let flow):
      tag("div", .class("actions")) {
        tag("a", .class("button primary"), Attribute("href", links.input(of: flow)), .english) { label }
        home(.class("button"))
      }
    case nil:
      if !links.isForOneFlow { tag("div", .class("actions")) { home(.class("button")) } }
    }
  }

  private func home(_ attribute: Attribute) -> HTML {
    tag("a", attribute, Attribute("href", links.home), .english) { links.homeTitle }
  }
}
