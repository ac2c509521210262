import CoordinatorClient
import CoordinatorKit
import Languages

/// The form for the input of a flow to start.
struct InputPage: Sendable {
  let links: Links
  let token: FormToken
  let flow: FlowListing
  /// The language of the browser; nil for English.
  var language: LanguageTag?
  /// The text that was typed before, and its errors.
  var draft: Draft?
  /// The input of the link that was opened; nil if the page was not opened by a link.
  var offered: [String: JSONValue]?

  /// The page.
  var html: HTML {
    let form = FormMarkup(flow.input?.fields ?? [], values: offered ?? [:], draft: draft)
    let errors = ErrorSummary(
      problems: (draft?.problem.map { [ErrorSummary.Problem(text: $0)] } ?? []) + form.problems)
    let (heading, summary) = (flow.title(in: language), flow.summary(in: language))
    let title = heading.text.isEmpty ? flow.name : heading.text
    return Shell(
      links: links, title: title, hasError: !errors.problems.isEmpty, direction: TextDirection(of: title, summary.text)
    ).page(
      Attribute("data-here", links.input(of: flow.name))
    ) {
      tag("div", .class("tools"))
      tag("section", .class("card"), Attribute("aria-labelledby", "title")) {
        errors.html
        tag("h1", .id("title"), .ofFlow(in: heading.language)) { title }
        if offered != nil { tag("p", .class("body")) { Text("A link asks to start this flow. It starts when you say so.") } }
        if !summary.text.isEmpty { tag("p", .class("body"), .ofFlow(in: summary.language)) { summary.text } }
        tag(
          "form", .id("answer"), Attribute("method", "post"), Attribute("action", links.input(of: flow.name)), .flag("novalidate")
        ) {
          token.hidden(("request", Token().text))
          // The button that Enter in a field presses is the first one; without this one, it would be among the fields.
          if form.hasButtons {
            tag("button", .class("aside"), Attribute("tabindex", "-1"), Attribute("aria-hidden", "true")) { Text("Start") }
          }
          form.html
          tag("div", .class("actions")) {
            tag("button", .class("primary")) { Text("Start") }
            if !links.isForOneFlow { tag("a", .class("button"), Attribute("href", links.home)) { links.homeTitle } }
          }
        }
      }
    }
  }
}
