import CoordinatorKit
import Languages
import Platform
import RendererKit

/// A field of a form with its label, hint, error and control.
struct FieldMarkup: Sendable {
  let field: Field
  /// The id of the control, or of the first control of a group. Derived from a number, because names may contain any
  /// character.
  let id: String
  /// The name of the control.
  let name: String
  /// The strings that are filled in.
  let texts: [String]
  /// The error of the field; nil if there is none.
  let error: String?
  /// Further remarks about the field.
  var remarks: [String] = []
  /// Whether the field can currently be read but not changed.
  var isReadOnly = false
  /// The condition under which the field is shown, as words; nil if it is always shown.
  var condition: String?
  /// Whether the field is a secret that was sent and is being checked.
  var isSecretSent = false
  /// The condition under which the field is shown, for the script; nil if it is always shown.
  var shownIf: ShownIf?
  /// The rows of a list of small objects; nil for any other field.
  var entries: EntriesMarkup?
  /// The author of the filled-in text, if it is another person; otherwise nil.
  var author: TreePeople.Author?

  /// The placeholder of a secret, whatever its length.
  static let dots = "••••••••"

  /// Returns the id of a field of a form.
  ///
  /// - Parameter index: index of the field in the form.
  /// - Returns: the id.
  static func id(_ index: Int) -> String { "field-\(index)" }

  /// The id of the element that a link to the field leads to. A list of small objects has no control itself.
  var anchor: String { entries == nil ? id : id + "-group" }

  /// The displayed name of the field.
  var title: String { field.schema.title ?? field.name }

  var control: FieldControl { FieldControl(field.schema) }

  /// The markup.
  var html: HTML {
    let attributes: [Attribute] = [
      .id(id + "-group"), .class(error == nil ? "field" : "field wrong"), Attribute("data-shown-if", shownIf?.text),
    ]
    if control.isGroup {
      let focus = Attribute("tabindex", entries == nil ? nil : "-1")
      return tag("fieldset", attributes + [Attribute("aria-describedby", describedBy), focus]) {
        tag("legend") { label }
        notes
        choices
        entries?.html
      }
    }
    if control == .checkbox {
      return tag("div", attributes) {
        notes
        tag("label", .class("choice")) {
          void("input", checking(type: "checkbox", id: id, value: "true", isChecked: texts.contains("true")))
          tag("span", .ofFlow) { title }
        }
      }
    }
    return tag("div", attributes) {
      tag("label", Attribute("for", id)) { label }
      notes
      single
    }
  }

  @HTMLBuilder private var label: HTML {
    tag("span", .ofFlow) { title }
    if !field.isRequiredIfShown { tag("span", .class("optional"), .english) { " " + Text("(optional)").string } }
  }

  private var hint: String? {
    if control == .entries { return field.schema.summary }
    var texts = FieldText.help(for: field.schema, hasExample: !isLine)
    if control == .lines { texts.append(Text("One entry per line.").string) }
    return texts.isEmpty ? nil : texts.joined(separator: " ")
  }

  /// Whether the control itself shows an example.
  var isLine: Bool {
    switch control {
    case .line, .number: true
    default: false
    }
  }

  @HTMLBuilder private var notes: HTML {
    // The script hides it, since the field is then hidden with its condition.
    if let condition { tag("p", .id(id + "-condition"), .class("hint condition"), .ofFlow) { condition } }
    if let hint { tag("p", .id(id + "-hint"), .class("hint"), .ofFlow) { hint } }
    for (number, remark) in remarks.enumerated() {
      tag("p", .id("\(id)-remark-\(number)"), .class("hint"), .ofFlow) { remark }
    }
    if let author {
      let text = texts.joined(separator: ", ")
      tag(
        "p", .id(id + "-mark"), .class("mark"), .english, Attribute("data-of", id), Attribute("data-text", text),
        Attribute("data-differs", DraftMark.differs(in: author.name, text: text).text)
      ) { DraftMark.typed(in: author.name).text }
    }
    if let error {
      tag("p", .id(id + "-error"), .class("error")) {
        tag("span", .class("aside"), .english) { Text("Error: ") }
        tag("span", Attribute("dir", "auto")) { error }
      }
    }
  }

  var describedBy: String? {
    let ids =
      (condition == nil ? [] : [id + "-condition"]) + (hint == nil ? [] : [id + "-hint"])
      + remarks.indices.map { "\(id)-remark-\($0)" } + (field.schema.unit == nil ? [] : [id + "-unit"])
      + (error == nil ? [] : [id + "-error"])
    return ids.isEmpty ? nil : ids.joined(separator: " ")
  }
}

/// Controls for choosing a value.
extension FieldMarkup {
  func select(_ choices: [Schema.Choice]) -> HTML {
    let searching = [
      Attribute("data-nothing", Text("Nothing matches.").string), .flag("data-optional", !field.isRequiredIfShown),
    ]
    return tag("select", common + searching) {
      tag("option", Attribute("value", "")) { field.isRequiredIfShown ? Text("Choose one") : Text("No answer") }
      for choice in choices {
        let value = FieldControl.value(of: choice)
        tag("option", Attribute("value", value), .flag("selected", texts.first?.bytes.equals(value) == true)) {
          FieldText.title(of: choice) + (FieldText.summary(of: choice).map { " – \($0)" } ?? "")
        }
      }
    }
  }

  @HTMLBuilder var choices: HTML {
    switch control {
    case .radios(let choices):
      options(of: choices, type: "radio")
      if !field.isRequiredIfShown { option(type: "radio", number: choices.count, value: "", title: Text("No answer").string) }
    case .checkboxes(let choices): options(of: choices, type: "checkbox")
    default: HTML()
    }
  }

  private func options(of choices: [Schema.Choice], type: String) -> HTML {
    group {
      for (number, choice) in choices.enumerated() {
        option(
          type: type, number: number, value: FieldControl.value(of: choice), title: FieldText.title(of: choice),
          summary: FieldText.summary(of: choice))
      }
    }
  }

  private func option(type: String, number: Int, value: String, title: String, summary: String? = nil) -> HTML {
    let isChecked = texts.contains(where: value.bytes.equals) || value.isEmpty && texts.isEmpty
    return tag("label", .class("choice")) {
      void("input", checking(type: type, id: number == 0 ? id : "\(id)-\(number)", value: value, isChecked: isChecked))
      tag("span") {
        tag("span", .ofFlow) { title }
        if let summary { tag("span", .class("choice-summary"), .ofFlow) { summary } }
      }
    }
  }

  func checking(type: String, id: String, value: String, isChecked: Bool) -> [Attribute] {
    [
      .id(id), Attribute("type", type), Attribute("name", name), Attribute("value", value), .flag("checked", isChecked),
      .flag("disabled", isReadOnly), Attribute("aria-describedby", control.isGroup ? nil : describedBy),
      Attribute("aria-invalid", error == nil || control.isGroup ? nil : "true"),
    ]
  }
}

/// Controls for typing a value.
extension FieldMarkup {
  var common: [Attribute] {
    [
      .id(id), Attribute("name", name), Attribute("aria-describedby", describedBy),
      Attribute("aria-invalid", error == nil ? nil : "true"), .flag("required", field.isRequired),
      .flag(isText ? "readonly" : "disabled", isReadOnly),
    ]
  }

  /// Whether the user types the value. Typed controls support `readonly`; others can only be disabled.
  private var isText: Bool { if case .select = control { false } else { true } }

  private func line(type: String, _ more: [Attribute] = []) -> HTML {
    let example = isReadOnly ? nil : FieldText.example(of: field.schema)
    return void(
      "input",
      common + [
        Attribute("type", type), Attribute("value", texts.first), Attribute("placeholder", example), Attribute("dir", "auto"),
      ] + more)
  }

  /// Returns the type of value that browsers may fill in: the purpose of the field, or a guess.
  private func autocomplete(_ guess: String) -> Attribute {
    Attribute("autocomplete", field.schema.purpose?.rawValue ?? guess)
  }

  @HTMLBuilder var single: HTML {
    switch control {
    case .line(let type):
      line(
        type: type,
        [
          autocomplete(["email", "tel", "url"].contains(type) ? type : "off"), Attribute("spellcheck", "false"),
          Attribute("autocapitalize", hasFormat ? "none" : nil), .goes,
        ])
    case .number(let isWhole):
      let input = line(type: "text", [Attribute("inputmode", keypad(isWhole: isWhole)), .goes, autocomplete("off")])
      if let unit = field.schema.unit {
        tag("div", .class("measured")) {
          input
          tag("span", .id(id + "-unit"), .class("unit"), .ofFlow) { unit }
        }
      } else {
        input
      }
    case .secret:
      // A secret is never sent to the browser.
      void(
        "input",
        common + [
          Attribute("type", "password"), autocomplete(isPassword ? "current-password" : "off"), .flag("data-secret"), .goes,
          Attribute("placeholder", isSecretSent ? Self.dots : nil),
        ])
      if field.schema.isRevealable, !isReadOnly {
        // Only the script can show the typed text.
        tag(
          "button", .id(id + "-reveal"), .class("reveal"), Attribute("type", "button"), Attribute("data-reveals", id),
          Attribute("aria-controls", id), Attribute("aria-pressed", "false"), .flag("hidden")
        ) { Text("Show what is typed") }
      }
    case .area, .lines:
      // A line break directly after the start tag is not part of the text (HTML standard, "Restrictions on content
      // models").
      tag(
        "textarea",
        common + [
          Attribute("rows", "5"), Attribute("autocomplete", field.schema.purpose?.rawValue), Attribute("dir", "auto"),
        ]
      ) {
        HTML(exactly: "\n" + texts.joined(separator: "\n"))
      }
    case .select(let choices): select(choices)
    case .checkbox, .radios, .checkboxes, .entries: HTML()
    }
  }

  /// Returns the keypad of a phone for a number. Keypads have no minus sign.
  private func keypad(isWhole: Bool) -> String? {
    let isNegative =
      switch field.schema.rule {
      case .integer(let bounds): (bounds.lower?.value ?? -1) < 0
      case .number(let bounds): (bounds.lower?.value ?? -1) < 0
      default: true
      }
    return isNegative ? nil : isWhole ? "numeric" : "decimal"
  }

  /// Whether the text is not prose, so that a phone must not begin it with a capital letter.
  private var hasFormat: Bool {
    if case .text(let rule) = field.schema.rule { rule.format != nil } else { false }
  }

  private var isPassword: Bool {
    if case .text(let rule) = field.schema.rule { rule.format == .password } else { false }
  }
}

extension Attribute {
  /// Labels the Enter key of a phone's keyboard as sending the form.
  fileprivate static let goes = Attribute("enterkeyhint", "go")
}
