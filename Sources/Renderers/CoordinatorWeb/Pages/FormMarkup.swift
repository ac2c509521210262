import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Languages
import Platform
import RendererKit
import Themes

/// All fields of a form with their values and errors.
struct FormMarkup: Sendable {
  let fields: [FieldMarkup]
  /// The errors that are shown in rows of lists, by the name of the list's field.
  private let entryProblems: [String: [ErrorSummary.Problem]]
  /// The reasons for keys that are not fields of the form.
  let strayReasons: [String]

  /// Creates the fields of a form.
  ///
  /// - Parameters:
  ///   - fields: fields of the form, in order.
  ///   - values: values to fill in, unless the draft contains text.
  ///   - draft: typed text, and its errors.
  ///   - messages: messages of the screen; those about a field appear next to it.
  ///   - isReadOnly: whether the form cannot currently be filled in.
  ///   - authors: other people who have typed the filled-in text, by field.
  init(
    _ fields: [Field], values: [String: JSONValue], draft: Draft?, messages: [ScreenMessage] = [], isReadOnly: Bool = false,
    authors: [String: TreePeople.Author] = [:]
  ) {
    let hasSecrets = fields.contains(where: \.schema.isSecret)
    var reasons = draft?.reasons ?? [:]
    var rows: [String: EntriesMarkup] = [:]
    var entryProblems: [String: [ErrorSummary.Problem]] = [:]
    for (index, field) in fields.enumerated() where FieldControl(field.schema) == .entries {
      let given = values[field.name] ?? field.schema.defaultValue
      let lines = draft?.typed[field.name] ?? given.map { FieldControl.texts(of: $0, in: field.schema) } ?? []
      let markup = EntriesMarkup(
        field, id: FieldMarkup.id(index), lines: lines, reasons: reasons, isReadOnly: isReadOnly, hasSecrets: hasSecrets)
      let placed = markup.problems(reasons)
      for (key, _) in placed { reasons[key] = nil }
      (rows[field.name], entryProblems[field.name]) = (markup, placed.map(\.problem))
    }
    let sorted = FormReasons(reasons, of: fields)
    self.entryProblems = entryProblems
    self.fields = fields.enumerated().map { index, field in
      let own = messages.filter { $0.field == field.name }
      let given = values[field.name] ?? field.schema.defaultValue
      let texts = draft?.typed[field.name] ?? given.map { FieldControl.texts(of: $0, in: field.schema) }
      return FieldMarkup(
        field: field, id: FieldMarkup.id(index), name: FormAnswer.prefix + field.name,
        texts: field.schema.isSecret ? [] : texts ?? [],
        error: sorted.fields[field.name]?.sentence ?? own.first { $0.level == .error }?.text,
        remarks: own.filter { $0.level != .error }.map(\.text), isReadOnly: isReadOnly,
        condition: FieldText.conditionSentence(of: field, among: fields),
        isSecretSent: isReadOnly && draft?.filledSecrets.contains(field.name) == true, shownIf: ShownIf(field),
        entries: rows[field.name], author: field.schema.isSecret ? nil : authors[field.name])
    }
    strayReasons = sorted.otherSentences
  }

  /// Whether there are buttons among the fields.
  var hasButtons: Bool { fields.contains { $0.entries != nil } }

  /// The markup of the fields.
  var html: HTML {
    tag("div", .id("fields"), .class("fields")) {
      for field in fields { field.html }
    }
  }

  /// The errors, each with the id of its field.
  var problems: [ErrorSummary.Problem] {
    fields.flatMap { field in
      (field.error.map { [ErrorSummary.Problem(text: $0, field: field.anchor)] } ?? []) + (entryProblems[field.field.name] ?? [])
    }
      + strayReasons.map { ErrorSummary.Problem(text: $0) }
  }
}

/// The summary of all errors of an answer at the top of its page, with links to the fields.
struct ErrorSummary: Sendable {
  /// An error of an answer.
  struct Problem: Sendable, Hashable {
    /// The text of the error.
    var text: String
    /// The id of the control to correct; nil if there is none.
    var field: String?
  }

  let problems: [Problem]

  /// The markup; empty if there is no error. It takes the focus, so that a screen reader announces it first.
  @HTMLBuilder var html: HTML {
    if !problems.isEmpty {
      tag(
        "div", .id("errors"), .class("errors"), Attribute("role", "alert"), Attribute("tabindex", "-1"),
        .flag("autofocus"), Attribute("aria-labelledby", "errors-title")
      ) {
        tag("h2", .id("errors-title"), .english) { Text("There is a problem") }
        tag("ul") {
          for problem in problems {
            tag("li") {
              if let field = problem.field {
                tag("a", Attribute("href", "#" + field), Attribute("dir", "auto")) { problem.text }
              } else {
                tag("span", Attribute("dir", "auto")) { problem.text }
              }
            }
          }
        }
      }
    }
  }
}

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

/// The base direction of a page: that of the first letter in its texts, as `dir=auto` determines it for one text (HTML
/// standard, "The dir attribute").
///
/// The page needs a separate direction, because otherwise its buttons and marks would be on the wrong side of its texts.
enum TextDirection: String, Sendable, Hashable {
  case leftToRight = "ltr"
  case rightToLeft = "rtl"

  /// Determines the direction of the first text that contains a letter.
  init(of texts: String...) {
    for text in texts {
      for scalar in text.unicodeScalars where scalar.properties.isAlphabetic {
        self = scalar.isRightToLeft ? .rightToLeft : .leftToRight
        return
      }
    }
    self = .leftToRight
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is in a block of a right-to-left script.
  ///
  /// Source: Unicode Standard Annex #9, the ranges whose unassigned characters default to R or AL. Swift does not
  /// expose the bidirectional class.
  fileprivate var isRightToLeft: Bool {
    switch value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }
}

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

/// The accent color of a screen.
///
/// It reaches the page as a separate stylesheet, because the content security policy forbids inline styles.
public struct Accent: Sendable, Hashable {
  /// The color.
  public let color: RGBColor

  /// Parses a color.
  ///
  /// - Parameter text: color of the form `#RRGGBB`.
  public init?(_ text: String) {
    guard let color = RGBColor(text) else { return nil }
    self.color = color
  }

  /// Parses the name of the accent's stylesheet, such as `f5001c.css`.
  init?(fileName: String) {
    guard let digits = fileName.bytes.dropping(suffix: ".css"), let color = RGBColor("#\(digits)") else { return nil }
    self.color = color
    guard digits.bytes.equals(name) else { return nil }
  }

  /// The six hexadecimal digits.
  var name: String { String(color.description.dropFirst()) }
}
