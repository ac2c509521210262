import CoordinatorKit
import RendererKit

/// A field of a form with its label, hint, error and control.
struct FieldMarkup: Sendable {
  let field: Field
  /// The index of the field in the form. Ids are derived from it, because names may contain any character.
  let index: Int
  /// The strings that are filled in.
  let texts: [String]
  /// The error of the field; nil if there is none.
  let error: String?
  /// Further remarks about the field.
  var remarks: [String] = []
  /// Whether the field can currently be read but not changed.
  var isReadOnly = false
  /// Whether the field is a secret that was sent and is being checked.
  var isSecretSent = false

  /// The placeholder of a secret, whatever its length.
  private static let dots = "••••••••"

  /// The id of the control, or of the first control of a group.
  var id: String { "field-\(index)" }

  /// The displayed name of the field.
  var title: String { field.schema.title ?? field.name }

  private var control: FieldControl { FieldControl(field.schema) }
  private var name: String { FormAnswer.prefix + field.name }

  /// The markup.
  var html: HTML {
    let attributes: [Attribute] = [.id(id + "-group"), .class(error == nil ? "field" : "field wrong")]
    if control.isGroup {
      return tag("fieldset", attributes + [Attribute("aria-describedby", describedBy)]) {
        tag("legend") { label }
        notes
        choices
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
    if !field.isRequired { tag("span", .class("optional")) { " (optional)" } }
  }

  private var hint: String? {
    guard case .lines = control else { return field.schema.summary }
    return [field.schema.summary, "One entry per line."].compactMap { $0 }.joined(separator: " ")
  }

  @HTMLBuilder private var notes: HTML {
    if let hint { tag("p", .id(id + "-hint"), .class("hint"), .ofFlow) { hint } }
    for (number, remark) in remarks.enumerated() {
      tag("p", .id("\(id)-remark-\(number)"), .class("hint"), .ofFlow) { remark }
    }
    if let error {
      tag("p", .id(id + "-error"), .class("error")) {
        tag("span", .class("aside")) { "Error: " }
        tag("span", Attribute("dir", "auto")) { error }
      }
    }
  }

  private var describedBy: String? {
    let ids =
      (hint == nil ? [] : [id + "-hint"]) + remarks.indices.map { "\(id)-remark-\($0)" }
      + (error == nil ? [] : [id + "-error"])
    return ids.isEmpty ? nil : ids.joined(separator: " ")
  }

  private var common: [Attribute] {
    [
      .id(id), Attribute("name", name), Attribute("aria-describedby", describedBy),
      Attribute("aria-invalid", error == nil ? nil : "true"), .flag("required", field.isRequired),
      .flag(isText ? "readonly" : "disabled", isReadOnly),
    ]
  }

  /// Whether the user types the value. Typed controls support `readonly`; others can only be disabled.
  private var isText: Bool { if case .select = control { false } else { true } }

  private func line(type: String, _ more: [Attribute] = []) -> HTML {
    void("input", common + [Attribute("type", type), Attribute("value", texts.first), Attribute("dir", "auto")] + more)
  }

  @HTMLBuilder private var single: HTML {
    switch control {
    case .line(let type):
      line(type: type, [Attribute("autocomplete", type == "email" ? "email" : "off"), Attribute("spellcheck", "false")])
    case .number(let isWhole):
      line(type: "text", [Attribute("inputmode", isWhole ? "numeric" : "decimal"), Attribute("autocomplete", "off")])
    case .secret:
      // A secret is never sent to the browser.
      void(
        "input",
        common + [
          Attribute("type", "password"), Attribute("autocomplete", isPassword ? "current-password" : "off"),
          Attribute("placeholder", isSecretSent ? Self.dots : nil),
        ])
    case .area, .lines:
      // A line break directly after the start tag is not part of the text (HTML standard, "Restrictions on content
      // models").
      tag("textarea", common + [Attribute("rows", "5"), Attribute("dir", "auto")]) {
        HTML(exactly: "\n" + texts.joined(separator: "\n"))
      }
    case .select(let choices): select(choices)
    case .checkbox, .radios, .checkboxes: HTML()
    }
  }

  private var isPassword: Bool {
    if case .text(let rule) = field.schema.rule { rule.format == .password } else { false }
  }

  private func select(_ choices: [Schema.Choice]) -> HTML {
    tag("select", common) {
      tag("option", Attribute("value", "")) { field.isRequired ? "Choose one" : "No answer" }
      for choice in choices {
        let value = FieldControl.value(of: choice)
        tag("option", Attribute("value", value), .flag("selected", texts.first == value)) { FieldText.title(of: choice) }
      }
    }
  }

  @HTMLBuilder private var choices: HTML {
    switch control {
    case .radios(let choices):
      options(of: choices, type: "radio")
      if !field.isRequired { option(type: "radio", number: choices.count, value: "", title: "No answer") }
    case .checkboxes(let choices): options(of: choices, type: "checkbox")
    default: HTML()
    }
  }

  private func options(of choices: [Schema.Choice], type: String) -> HTML {
    group {
      for (number, choice) in choices.enumerated() {
        option(type: type, number: number, value: FieldControl.value(of: choice), title: FieldText.title(of: choice))
      }
    }
  }

  private func option(type: String, number: Int, value: String, title: String) -> HTML {
    let isChecked = texts.contains(value) || value.isEmpty && texts.isEmpty
    return tag("label", .class("choice")) {
      void("input", checking(type: type, id: number == 0 ? id : "\(id)-\(number)", value: value, isChecked: isChecked))
      tag("span", .ofFlow) { title }
    }
  }

  private func checking(type: String, id: String, value: String, isChecked: Bool) -> [Attribute] {
    [
      .id(id), Attribute("type", type), Attribute("name", name), Attribute("value", value), .flag("checked", isChecked),
      .flag("disabled", isReadOnly), Attribute("aria-describedby", control.isGroup ? nil : describedBy),
      Attribute("aria-invalid", error == nil || control.isGroup ? nil : "true"),
    ]
  }
}
