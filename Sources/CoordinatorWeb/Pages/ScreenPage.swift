import CoordinatorBus
import CoordinatorClient
import CoordinatorKit

/// The page of a flow tree's top screen.
struct ScreenPage: Sendable {
  let links: Links
  /// The name of the flow tree.
  let tree: String
  let window: MirroredWindow
  let top: PresentedScreen
  let token: FormToken
  /// What was typed on this screen already, and what is wrong with it.
  var draft: Draft?
  var notice: Notice?

  /// The page of a window; nil for one that shows nothing.
  ///
  /// - Parameters:
  ///   - window: The window.
  ///   - tree: The name of the flow tree.
  ///   - links: The addresses of pages.
  ///   - token: What forms bring back.
  init?(_ window: MirroredWindow, of tree: String, links: Links, token: FormToken) {
    guard let top = window.top else { return nil }
    self.links = links
    self.tree = tree
    self.window = window
    self.top = top
    self.token = token
  }

  var screen: Screen { top.screen }
  var isBusy: Bool { screen.progress != nil }

  private var form: FormMarkup? {
    screen.form.map {
      FormMarkup(
        $0.fields, values: screen.values.merging(top.draft) { $1 }, draft: draft, messages: screen.messages, isDisabled: isBusy)
    }
  }

  /// The page.
  var html: HTML {
    let form = form
    let errors = ErrorSummary(problems: (form?.problems ?? []) + otherProblems)
    return Shell(links: links, title: screen.title, hasError: !errors.problems.isEmpty, isRefreshing: isBusy).page(
      Attribute("data-here", links.screen(top.id, of: tree)), Attribute("data-tree", links.tree(tree)),
      Attribute("data-events", links.events(of: tree)), Attribute("data-revision", String(window.revision)),
      Attribute("data-draft", form == nil ? nil : links.draft(of: top.id, of: tree))
    ) {
      if let accent = screen.accent.flatMap({ Accent($0) }) {
        void("link", .id("accent"), Attribute("rel", "stylesheet"), Attribute("href", links.accent(accent)))
      }
      TrailMarkup(links: links, tree: tree, window: window).html
      beneath
      tag("section", .id("screen-\(top.id)"), .class("card"), Attribute("role", isModal ? "dialog" : nil), labelledByTitle) {
        back
        errors.html
        if let notice { tag("p", .id("notice"), .class("notice"), Attribute("role", "status")) { notice.text } }
        tag("h1", .id("title"), Attribute("tabindex", "-1"), Attribute("dir", "auto")) { screen.title }
        messages
        text
        if let progress = screen.progress { ProgressMarkup(progress: progress).html }
        answer(form)
      }
    }
  }

  private var isModal: Bool { top.layer > 0 }
  private var labelledByTitle: Attribute { Attribute("aria-labelledby", "title") }

  /// What is wrong besides the fields of the form.
  private var otherProblems: [ErrorSummary.Problem] {
    let names = Set(screen.form?.order ?? [])
    let told = screen.messages.filter { $0.level == .error && !($0.field.map(names.contains) ?? false) }
    let reasons = screen.form == nil ? draft?.reasons.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" } ?? [] : []
    return ((draft?.problem.map { [$0] } ?? []) + reasons + told.map(\.text)).map { ErrorSummary.Problem(text: $0) }
  }

  /// What a modal layer is on top of: for the eye alone.
  @HTMLBuilder private var beneath: HTML {
    if isModal, let below = window.screens.last(where: { $0.layer < top.layer })?.screen {
      tag("div", .id("beneath"), .class("beneath"), Attribute("aria-hidden", "true"), .flag("inert")) {
        tag("p", .class("title"), Attribute("dir", "auto")) { below.title }
        tag("p", .class("body"), Attribute("dir", "auto")) { below.body }
      }
    }
  }

  /// Whether Back leaves what the screen is part of, and nothing else says so.
  private var isLeaving: Bool {
    (top.style == .modal || window.screens.count == 1) && !screen.actions.contains { $0.role == .cancel }
  }

  @HTMLBuilder private var back: HTML {
    if top.back {
      tag(
        "form", .id("back"), .class("back"), Attribute("method", "post"), Attribute("action", links.back(from: top.id, of: tree))
      ) {
        token.hidden(("request", Token().text))
        tag("button") { isLeaving ? "Cancel" : "Back" }
      }
    }
  }

  @HTMLBuilder private var messages: HTML {
    for (number, message) in screen.messages.enumerated() where message.level != .error && message.field == nil {
      let isWarning = message.level == .warning
      tag("p", .id("message-\(number)"), .class(isWarning ? "message warning" : "message"), Attribute("role", "status")) {
        tag("strong") { isWarning ? "Warning: " : "" }
        tag("span", Attribute("dir", "auto")) { message.text }
      }
    }
  }

  @HTMLBuilder private var text: HTML {
    for paragraph in screen.body.split(separator: "\n\n") {
      tag("p", .class("body"), Attribute("dir", "auto")) { String(paragraph) }
    }
  }

  // MARK: Answering

  private func answer(_ form: FormMarkup?) -> HTML {
    tag(
      "form", .id("answer"), Attribute("method", "post"), Attribute("action", links.screen(top.id, of: tree)),
      .flag("novalidate"), Attribute("autocomplete", screen.form?.schema.secretFields.isEmpty == false ? "on" : nil)
    ) {
      token.hidden(("seen", String(window.revision)), ("request", Token().text))
      form?.html
      items
      actions
    }
  }

  @HTMLBuilder private var items: HTML {
    if let items = screen.items {
      if items.isEmpty {
        tag("p", .class("nothing")) { "There is nothing to choose from." }
      } else {
        tag("div", .id("filter"), .class("filter"), .flag("hidden"), Attribute("data-count", String(items.count))) {
          tag("label", Attribute("for", "filter-text")) { "Find" }
          void("input", .id("filter-text"), Attribute("type", "search"), Attribute("autocomplete", "off"))
        }
        tag("ul", .id("items"), .class("choices")) {
          for item in items {
            tag("li") {
              tag("button", Attribute("name", "item"), Attribute("value", item.id), .class("choice-button")) {
                tag("span", .class("choice-title"), Attribute("dir", "auto")) { item.title }
                if let subtitle = item.subtitle {
                  tag("span", .class("choice-subtitle"), Attribute("dir", "auto")) { subtitle }
                }
              }
            }
          }
        }
      }
    }
  }

  /// The buttons. Enter in a field presses the first one, so that is the one that the screen is for.
  @HTMLBuilder private var actions: HTML {
    let choices = screen.kind == .menu ? screen.actions.filter { $0.role == .primary || $0.role == .normal } : []
    let others = screen.actions.filter { !choices.contains($0) }
    if !choices.isEmpty {
      tag("ul", .id("choices"), .class("choices")) {
        for choice in choices { tag("li") { button(for: choice, look: "choice-button") } }
      }
    }
    if !others.isEmpty {
      tag("div", .id("actions"), .class("actions")) {
        for action in others.filter({ $0.role == .primary }) + others.filter({ $0.role != .primary }) {
          button(for: action, look: action.role.rawValue)
        }
      }
    }
  }

  private func button(for action: Action, look: String) -> HTML {
    tag("button", Attribute("name", "event"), Attribute("value", action.id), .class(look), Attribute("dir", "auto")) {
      action.title
    }
  }
}
