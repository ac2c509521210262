import CoordinatorKit
import RendererKit

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
