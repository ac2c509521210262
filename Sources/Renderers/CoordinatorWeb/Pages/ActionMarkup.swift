import CoordinatorKit
import RendererKit

/// The button of an action, with its explanation, the reason why it is disabled, and its question.
struct ActionMarkup: Sendable {
  let action: Action
  /// The index of the action on its screen. Ids are derived from it.
  let index: Int
  let basis: AnswerBasis
  /// Whether no answer is possible now.
  let isAway: Bool
  /// Whether the question is asked on the page itself, so that no typed text is lost; otherwise on a separate page.
  var asksHere = false
  /// Whether the question is open.
  var isAsking = false
  /// The key that chooses the action with the script; nil for none.
  var key: Int?
  /// Whether the screen suggests the action: it is marked, and the page begins at it.
  var isSuggested = false

  private var noteID: String { "action-\(index)-note" }
  private var note: String? { action.disabled.map { Text("Not available: {reason}", ["reason": $0]).string } ?? action.summary }

  /// A choice of a menu.
  var choice: HTML {
    button(look: isSuggested ? "choice-button chosen" : "choice-button") {
      tag("span", .class("choice-title"), .ofFlow) { action.title }
      if let note {
        tag("span", .id(noteID), .class(action.disabled == nil ? "choice-subtitle" : "choice-subtitle reason"), .ofFlow) {
          note
        }
      }
      mark
    }
  }

  /// The mark of a suggested action, also for users who do not see the focus.
  @HTMLBuilder private var mark: HTML {
    if isSuggested { tag("span", .class("mark"), .english) { Text("Preselected") } }
  }

  /// A button beside others.
  @HTMLBuilder var html: HTML {
    if let note {
      tag("div", .class("action")) {
        control
        tag("p", .id(noteID), .class(action.disabled == nil ? "hint" : "hint reason"), .ofFlow) { note }
      }
    } else {
      control
    }
  }

  @HTMLBuilder private var control: HTML {
    if let question = action.confirmation, asksHere, action.disabled == nil {
      asking(question)
    } else {
      button(look: action.role.rawValue) {
        title
        mark
      }
    }
  }

  private var title: HTML { tag("span", .ofFlow) { action.title } }

  /// Returns the button. If it is disabled, it can still take the focus, so that a screen reader finds it and reads the reason.
  private func button(look: String, isConfirmed: Bool = false, @HTMLBuilder content: () -> HTML) -> HTML {
    let described = Attribute("aria-describedby", note == nil || isConfirmed ? nil : noteID)
    guard action.disabled == nil else {
      return tag(
        "button", [Attribute("type", "button"), Attribute("aria-disabled", "true"), .key(key), .class(look), described],
        content: content)
    }
    return tag(
      "button",
      [
        Attribute("name", SentChoice.name(of: action, on: basis, isConfirmed: isConfirmed)), Attribute("value", action.id),
        .key(key), .class(look), described, .flag("disabled", isAway), .flag("autofocus", isSuggested),
      ], content: content)
  }

  /// Returns the question on the page itself: it opens without a request, so that secrets stay in the browser.
  private func asking(_ question: String) -> HTML {
    let digits = basis.digits(for: action)
    // The id changes with the question, so that the script closes one that has become another.
    return tag("details", .id("ask-\(digits)"), .class("ask"), .flag("open", isAsking)) {
      tag(
        "summary", .class("button \(action.role.rawValue)"),
        Attribute("aria-describedby", note == nil ? nil : noteID)
      ) {
        // The stylesheet shows the first one while the question is closed, and the second one while it is open.
        title
        tag("span", .class("closing"), .english) { Confirmation.cancelTitle }
      }
      tag("div", .class("question"), Attribute("role", "group"), Attribute("aria-labelledby", "question-\(digits)")) {
        tag("p", .id("question-\(digits)"), .ofFlow) { question }
        button(look: action.role.rawValue, isConfirmed: true) { title }
      }
    }
  }
}
