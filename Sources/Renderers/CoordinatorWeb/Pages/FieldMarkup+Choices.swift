import CoordinatorKit
import Languages
import Platform
import RendererKit

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
