import CoordinatorClient
import CoordinatorKit
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

/// A drawing of the outcome of a flow. It adds nothing to the heading.
struct EndSign: Sendable {
  let end: FlowEnd

  /// The markup.
  var html: HTML {
    tag("svg", .class("sign \(end.name)"), Attribute("viewBox", "0 0 64 64"), Attribute("aria-hidden", "true")) {
      tag("circle", Attribute("cx", "32"), Attribute("cy", "32"), Attribute("r", "28"))
      tag("path", Attribute("d", path))
    }
  }

  private var path: String {
    switch end {
    case .finished: "M20 33 28.5 41.5 45 24"
    case .cancelled, .stopped: "M24 24 40 40M40 24 24 40"
    case .failed: "M32 19v17M32 44.5v.1"
    case .lost: "M22 32h20"
    }
  }
}

/// The answers under review, each with a button to change it.
struct ReviewMarkup: Sendable {
  let screen: Screen
  /// The path that receives the answer.
  let target: String
  /// The hidden controls of the form.
  let hidden: HTML
  let isAway: Bool

  /// The markup; empty if no answers are under review. A separate form, so that Enter in a field presses none of its buttons.
  @HTMLBuilder var html: HTML {
    if !screen.review.isEmpty {
      if rows.contains(where: \.isChangeable) {
        tag("form", .id("review"), Attribute("method", "post"), Attribute("action", target)) {
          hidden
          list
        }
      } else {
        list
      }
    }
  }

  private var rows: [(row: ReviewRow, isChangeable: Bool)] {
    // While work uses the answers, they cannot be changed.
    screen.review.map { ($0, $0.screen != nil && screen.progress == nil) }
  }

  private var list: HTML {
    let basis = AnswerBasis(of: screen)
    return tag("dl", .class("result review")) {
      for (row, isChangeable) in rows {
        tag("div") {
          tag("dt", .ofFlow) { row.title }
          tag("dd", .class("answer"), .ofFlow) {
            if let date = row.date { DateMarkup(date: date).html } else { row.value }
          }
          if isChangeable, let screen = row.screen {
            tag("dd", .class("change")) {
              tag(
                "button", Attribute("name", SentChoice.name(of: row, on: basis)), Attribute("value", String(screen.number)),
                .flag("disabled", isAway)
              ) {
                tag("span", .english) { ReviewRow.changeTitle }
                tag("span", .class("aside"), .ofFlow) { " " + row.title }
              }
            }
          }
        }
      }
    }
  }
}

/// A date. The page's script shows it with the name of the month; without the script, it is in numbers.
struct DateMarkup {
  let date: LocalizedDate

  /// The markup.
  var html: HTML { tag("time", Attribute("datetime", date.internet)) { date.text } }
}
