import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Languages
import RendererKit

/// The page of a flow tree's top screen.
struct ScreenPage: Sendable {
  let links: Links
  /// The name of the flow tree.
  let tree: String
  let window: MirroredWindow
  let top: PresentedScreen
  let token: FormToken
  /// The text that was typed on this screen before, and its errors.
  var draft: Draft?
  var notice: PageNotice?
  /// The part of a list to show.
  var view = ListView()
  /// The sentence about the other people who have the flow open; empty if there are none.
  var people = ""
  /// The other people who have typed the text in the fields, by field.
  var authors: [String: TreePeople.Author] = [:]
  /// Whether the daemon is away, so that no answer is possible.
  var isAway = false
  /// Whether phones can reach the server.
  var isReachable = false
  /// The question whether the user is still present; nil if the flow has no time limit without input.
  var idle: IdleMarkup?
  /// The current time, from which the page counts down.
  var now = Timestamp.now

  /// Creates the page of a window; nil if the window shows no screen.
  ///
  /// - Parameters:
  ///   - window: window to show.
  ///   - tree: name of the flow tree.
  ///   - links: paths of the pages.
  ///   - token: token that forms send back.
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
  private var countdown: Countdown? { Countdown(of: screen, at: now) }

  /// The number of seconds after which the page reloads if JavaScript is disabled: at the next automatic event, unless typed
  /// text would be lost.
  private var reloadTime: UInt64? {
    if isBusy { return 2 }
    return screen.isFillable ? nil : countdown.map { max($0.seconds + 1, 2) }
  }

  private var form: FormMarkup? {
    screen.form.map {
      FormMarkup(
        $0.fields, values: screen.values.merging(top.draft) { $1 }, draft: draft, messages: screen.messages,
        isReadOnly: isBusy || isAway,
        authors: authors.filter { draft?.typed[$0.key] == nil })
    }
  }

  /// The page.
  var html: HTML {
    let form = form
    let errors = ErrorSummary(problems: (form?.problems ?? []) + otherProblems)
    let title = [screen.title, screen.step?.readable].compactMap(\.self).joined(separator: " – ")
    let shell = Shell(
      links: links, title: title, hasError: !errors.problems.isEmpty, fraction: screen.progress?.fraction,
      reloadTime: reloadTime, isAway: isAway, language: window.language, direction: TextDirection(of: screen.title, screen.body)
    )
    return shell.page(
      Attribute("data-here", links.screen(top.id, of: tree)), Attribute("data-tree", links.tree(tree)),
      Attribute("data-events", links.events(of: tree)), Attribute("data-revision", String(window.revision)),
      Attribute("data-language", window.language.bcp47), Attribute("data-shown", top.fingerprint),
      Attribute("data-draft", form == nil ? nil : links.draft(of: top.id, of: tree)), .flag("data-away", isAway),
      Attribute("data-unsent", Text("Your text was not sent:").string), Attribute("data-copy", Text("Copy").string)
    ) {
      if let accent = screen.accent.flatMap({ Accent($0) }) {
        void("link", .id("accent"), Attribute("rel", "stylesheet"), Attribute("href", links.accent(accent)))
      }
      if !isModal { tools }
      beneath
      tag("section", .id("screen-\(top.id)"), .class("card"), Attribute("role", isModal ? "dialog" : nil), labelledByTitle) {
        if isModal { tools }
        if let step = screen.step { StepMarkup(step: step).html }
        errors.html
        if let notice = draft?.stage == .undelivered ? .undelivered : notice {
          tag("p", .id("notice"), .class("notice"), Attribute("role", "status"), .english) { notice.text }
        }
        for part in ScreenPart.allCases { markup(of: part, form, shell.pageTitle) }
      }
      idle?.html
      CompanyMarkup(links: links, tree: tree, token: token, people: people, isReachable: isReachable).html
    }
  }

  @HTMLBuilder private func markup(of part: ScreenPart, _ form: FormMarkup?, _ pageTitle: @escaping (String?) -> String) -> HTML {
    let target = links.screen(top.id, of: tree)
    switch part {
    case .title:
      tag(
        "h1", .id("title"), Attribute("tabindex", "-1"), .ofFlow,
        Attribute("aria-describedby", screen.step == nil ? nil : "step")
      ) { screen.title }
    case .messages: messages
    case .text: BodyMarkup(screen: screen).html
    case .picture: if let picture = screen.picture { PictureMarkup(picture: picture).html }
    case .progress: if let progress = screen.progress { ProgressMarkup(progress: progress, title: pageTitle).html }
    case .countdown: if let countdown { CountdownMarkup(countdown: countdown).html }
    case .review: ReviewMarkup(screen: screen, target: target, hidden: hidden, isAway: isAway).html
    case .answer:
      AnswerMarkup(screen: screen, target: target, hidden: hidden, form: form, draft: draft, view: view, isAway: isAway).html
    }
  }

  /// The hidden controls of a form that answers the screen.
  private var hidden: HTML { token.hidden(("seen", String(window.revision)), ("request", Token().text)) }
  private var isModal: Bool { top.layer > 0 }
  private var labelledByTitle: Attribute { Attribute("aria-labelledby", "title") }

  /// The errors that do not concern a field of the form.
  private var otherProblems: [ErrorSummary.Problem] {
    let names = Set(screen.form?.order ?? [])
    let told = screen.messages.filter { $0.level == .error && !($0.field.map(names.contains) ?? false) }
    let isList = screen.items != nil
    let reasons: [ErrorSummary.Problem] = (screen.form == nil ? draft?.reasons ?? [:] : [:]).sorted { $0.key < $1.key }.map {
      isList && ListMarkup.keys.contains($0.key)
        ? ErrorSummary.Problem(text: ListMarkup.sentence($0.value), field: ListMarkup.id)
        : ErrorSummary.Problem(text: FormReasons.sentence($0.value, about: $0.key))
    }
    let problems = [draft?.problem, draft?.failure].compactMap { $0 } + told.map(\.text)
    return problems.map { ErrorSummary.Problem(text: $0) } + reasons
  }

  /// A preview of the screen that the modal layer covers. Purely visual, so it is hidden from screen readers.
  @HTMLBuilder private var beneath: HTML {
    if isModal, let below = window.screens.last(where: { $0.layer < top.layer })?.screen {
      tag("div", .id("beneath"), .class("beneath"), Attribute("aria-hidden", "true"), .flag("inert")) {
        tag("p", .class("title"), .ofFlow) { below.title }
        tag("p", .class("body"), .ofFlow) { below.body }
      }
    }
  }

  /// Whether Back closes the modal layer and no action of the screen has the role of cancelling.
  private var isClosing: Bool { top.style == .modal && !screen.actions.contains { $0.role == .cancel } }

  /// The row above the title: the way back at its start, all other controls at its end. It is there even if it is empty, so
  /// that nothing moves when a way back appears.
  private var tools: HTML {
    tag("div", .id("tools"), .class("tools")) {
      back
      TrailMarkup(links: links, tree: tree, window: window).html
    }
  }

  @HTMLBuilder private var back: HTML {
    let step = LeavingStep(in: window)
    switch step {
    case .none: HTML()
    case .end where links.isLocked: HTML()
    case .end:
      tag("p", .id("leave"), .class("back leave"), .english) {
        tag("a", .class("button"), Attribute("href", links.ending(top.id, of: tree))) { step.title }
      }
    case .mayEnd:
      tag("p", .id("leave"), .class("back"), .english) {
        tag("a", .class("button backwards"), Attribute("href", links.ending(top.id, of: tree))) { step.title }
      }
    case .back:
      tag(
        "form", .id("back"), .class("back"), .english, Attribute("method", "post"),
        Attribute("action", links.back(from: top.id, of: tree))
      ) {
        token.hidden(("request", Token().text))
        tag("button", .class(isClosing ? nil : "backwards"), .flag("disabled", isAway)) {
          isClosing ? Confirmation.cancelTitle : step.title
        }
      }
    }
  }

  @HTMLBuilder private var messages: HTML {
    for (number, message) in screen.messages.enumerated() where message.level != .error && message.field == nil {
      let isWarning = message.level == .warning
      tag("p", .id("message-\(number)"), .class(isWarning ? "message warning" : "message"), Attribute("role", "status")) {
        if isWarning { tag("strong", .english) { Text("Warning: ").string } }
        tag("span", .ofFlow) { message.text }
      }
    }
  }
}

/// The remaining time until an automatic event.
struct CountdownMarkup: Sendable {
  let countdown: Countdown

  /// The markup. The script counts from the remaining time, because the clocks of browser and server may differ.
  var html: HTML {
    tag(
      "p", .id("countdown"), .class("countdown"), .english, Attribute("role", "timer"),
      Attribute("data-left", String(countdown.microseconds / 1000)), Attribute("data-pattern", Countdown.pattern),
      Attribute("data-due", Countdown.due),
      Attribute("data-units", JSONValue.array(Countdown.units.map(JSONValue.string)).canonicalText)
    ) { countdown.sentence }
  }
}

/// The place of a screen in a sequence of steps: in words, and drawn if the number of steps is known.
struct StepMarkup: Sendable {
  let step: Step

  /// The maximum number of steps that are drawn: more would be too thin to count.
  private static let most = 12

  /// The markup.
  @HTMLBuilder var html: HTML {
    tag("p", .id("step"), .class("step"), .english) { step.readable }
    if let count = step.count, (2...Self.most).contains(count) {
      tag("p", .id("steps"), .class("steps"), Attribute("aria-hidden", "true")) {
        for number in 1...count {
          tag("span", .class(number < step.number ? "past" : number == step.number ? "present" : nil))
        }
      }
    }
  }
}

/// The progress of the work on a screen.
struct ProgressMarkup {
  let progress: CoordinatorKit.Progress
  /// Returns the title of the page for a progress in words.
  let title: (String?) -> String

  /// The markup. The script keeps it up to date.
  var html: HTML {
    tag("div", .id("progress"), .class("progress")) {
      let usual = Text("Please wait").string
      tag("label", .id("progress-text"), Attribute("for", "progress-bar"), Attribute("data-usual", usual), .ofFlow) {
        progress.text ?? usual
      }
      tag(
        "progress", .id("progress-bar"), Attribute("max", "1"),
        Attribute("value", progress.fraction.map { JSONValue($0).canonicalText }), Attribute("data-title", title(nil)),
        Attribute("data-pattern", title(Percentage.pattern))
      ) {
        progress.fraction.map(Percentage.text(of:)) ?? ""
      }
    }
  }
}

/// The other people who have the flow open, and the button that leads to a phone, if phones can reach the server. Below the
/// page, so that nothing moves.
struct CompanyMarkup: Sendable {
  let links: Links
  /// The name of the flow tree.
  let tree: String
  let token: FormToken
  /// The sentence about the other people; empty if there are none.
  let people: String
  /// Whether phones can reach the server.
  let isReachable: Bool

  /// The markup.
  var html: HTML {
    tag("footer", .id("company"), .class("company"), .english) {
      tag("p", .id("people"), .class("people"), Attribute("data-people", people)) { people }
      if isReachable {
        tag("form", .id("phone"), Attribute("method", "post"), Attribute("action", links.phone(of: tree))) {
          token.hidden()
          tag("button", .class("aside-button")) { Text("Continue on your phone").string }
        }
      }
    }
  }
}

/// The hidden controls of a form.
struct FormToken: Sendable {
  /// The token that proves that the form comes from a page of this server.
  let csrf: Token

  /// Returns hidden controls, which a form sends back unchanged.
  ///
  /// - Parameter values: names and values in addition to the token.
  /// - Returns: the controls.
  func hidden(_ values: (name: String, value: String)...) -> HTML {
    group {
      for (name, value) in [(RequestGuard.tokenField, csrf.text)] + values {
        void("input", Attribute("type", "hidden"), Attribute("name", name), Attribute("value", value))
      }
    }
  }
}
