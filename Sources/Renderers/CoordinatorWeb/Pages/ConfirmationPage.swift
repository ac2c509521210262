import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Languages
import RendererKit

/// The page that asks the question of an action before it is sent.
struct ConfirmationPage: Sendable {
  let links: Links
  let tree: String
  let top: PresentedScreen
  let token: FormToken
  /// The revision that the user was looking at when pressing the button.
  let seen: UInt64
  private let language: LanguageTag
  private let basis: String
  private let action: Action
  private let question: String

  /// Creates the page; nil if the screen is not the top one, or if the choice no longer has the same meaning.
  init?(
    of choice: SentChoice, seen: UInt64, on id: UInt64, in window: MirroredWindow, of tree: String, links: Links, token: FormToken
  ) {
    guard let top = window.top, top.id == id, choice.holds(on: top.screen),
      let action = choice.unconfirmedAction(of: top.screen), let question = action.confirmation
    else { return nil }
    (self.action, self.question, basis) = (action, question, choice.basis)
    language = window.language
    (self.links, self.tree, self.top, self.token, self.seen) = (links, tree, top, token, seen)
  }

  /// The page.
  var html: HTML {
    Shell(links: links, title: question, language: language, direction: TextDirection(of: question)).page(
      Attribute("data-here", links.asking(basis, action.id, seen: seen, on: top.id, of: tree)),
      Attribute("data-tree", links.tree(tree))
    ) {
      if let accent = top.screen.accent.flatMap({ Accent($0) }) {
        void("link", .id("accent"), Attribute("rel", "stylesheet"), Attribute("href", links.accent(accent)))
      }
      tag("div", .class("tools"))
      tag("section", .class("card"), Attribute("aria-labelledby", "title")) {
        tag("h1", .id("title"), Attribute("tabindex", "-1"), .ofFlow) { question }
        tag("form", .id("confirmation"), Attribute("method", "post"), Attribute("action", links.screen(top.id, of: tree))) {
          token.hidden(("seen", String(seen)), ("request", Token().text))
          tag("div", .class("actions")) {
            // The first control, so that a key pressed too often does not send the action.
            tag("a", .class("button"), Attribute("href", links.screen(top.id, of: tree)), .english, .flag("autofocus")) {
              Confirmation.cancelTitle
            }
            tag(
              "button", .class(action.role.rawValue),
              Attribute("name", SentChoice.name(of: action, on: AnswerBasis(of: top.screen), isConfirmed: true)),
              Attribute("value", action.id)
            ) { tag("span", .ofFlow) { action.title } }
          }
        }
      }
    }
  }
}
