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

/// The form that answers a screen: its fields, rows and actions.
struct AnswerMarkup: Sendable {
  let screen: Screen
  /// The path that receives the answer.
  let target: String
  /// The hidden controls of the form.
  let hidden: HTML
  let form: FormMarkup?
  let draft: Draft?
  /// The part of a list to show.
  var view = ListView()
  let isAway: Bool

  /// The markup.
  @HTMLBuilder var html: HTML {
    let basis = AnswerBasis(of: screen)
    let list = ListMarkup(
      screen: screen, view: view, path: target, checked: draft?.checked, error: listError, isAway: isAway)
    list?.ownForm
    tag(
      "form", .id("answer"), Attribute("method", "post"), Attribute("action", target), .flag("novalidate"),
      Attribute("autocomplete", screen.form?.schema.secretFields.isEmpty == false ? "on" : nil)
    ) {
      hidden
      entered(basis)
      form?.html
      list?.html(basis)
      actions(basis)
    }
  }

  private var listError: String? { ListMarkup.keys.lazy.compactMap { draft?.reasons[$0] }.first.map(ListMarkup.sentence) }

  /// Whether the form has fields, so that a question about an action is asked on the page itself.
  private var hasFields: Bool { screen.form?.fields.isEmpty == false }

  /// Returns the button that Enter in a field presses, which is always the first button of the form: the primary action or, if
  /// that cannot be sent at once, none.
  @HTMLBuilder private func entered(_ basis: AnswerBasis) -> HTML {
    if hasFields {
      let primary = screen.submission
      if let primary, primary.disabled == nil, primary.confirmation == nil {
        if form?.hasButtons == true {
          tag(
            "button", .class("aside"), Attribute("name", SentChoice.name(of: primary, on: basis)),
            Attribute("value", primary.id), Attribute("tabindex", "-1"), Attribute("aria-hidden", "true"),
            .flag("disabled", isAway)
          ) { primary.title }
        }
      } else {
        tag("button", .id("entered"), .flag("disabled"), .flag("hidden"))
      }
    }
  }

  /// Returns the buttons. The primary action comes first, because Enter in a field presses the first button.
  @HTMLBuilder private func actions(_ basis: AnswerBasis) -> HTML {
    let all = Array(screen.actions.enumerated())
    let choices = all.filter { screen.kind == .menu && ($0.element.role == .primary || $0.element.role == .normal) }
    let others = all.filter { other in !choices.contains { $0.offset == other.offset } }
    if !choices.isEmpty {
      tag("ul", .id("choices"), .class("choices")) {
        for (index, choice) in choices { tag("li") { markup(of: choice, index, basis).choice } }
      }
    }
    if !others.isEmpty {
      tag("div", .id("actions"), .class("actions")) {
        for (index, action) in others.filter({ $0.element.role == .primary }) + others.filter({ $0.element.role != .primary }) {
          markup(of: action, index, basis).html
        }
      }
    }
  }

  private func markup(of action: Action, _ index: Int, _ basis: AnswerBasis) -> ActionMarkup {
    ActionMarkup(
      action: action, index: index, basis: basis, isAway: isAway, asksHere: hasFields, isAsking: draft?.asking == action.id,
      key: screen.kind == .menu ? index + 1 : nil, isSuggested: screen.suggestedAction == action)
  }
}
