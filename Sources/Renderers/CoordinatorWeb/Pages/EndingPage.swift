import CoordinatorBus
import CoordinatorClient
import Languages
import RendererKit

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
