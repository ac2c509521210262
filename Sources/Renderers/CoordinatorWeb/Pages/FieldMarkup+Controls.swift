import CoordinatorKit
import Languages
import RendererKit

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
