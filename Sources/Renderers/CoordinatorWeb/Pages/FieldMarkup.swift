import CoordinatorKit
import Languages
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
