import CoordinatorKit
import CoordinatorTools

/// How a field is filled in on a page.
public enum FieldControl: Sendable, Hashable {
  /// A line of text; `type` is that of the `input`.
  case line(type: String)
  /// Several lines of text.
  case area
  /// A whole number, or any number.
  case number(isWhole: Bool)
  /// Yes or no.
  case checkbox
  /// One of a few.
  case radios([Schema.Choice])
  /// One of many.
  case select([Schema.Choice])
  /// Any of these.
  case checkboxes([Schema.Choice])
  /// A list, one entry a line.
  case lines
  /// Something that is not to be seen.
  case secret

  /// Up to so many choices are shown at once.
  static let fewChoices = 6
  /// Texts that may be longer than this get several lines.
  static let longText = 250

  /// How a field with that schema is filled in.
  public init(_ schema: Schema) {
    if schema.isSecret {
      self = .secret
      return
    }
    switch schema.rule {
    case .text(let rule):
      switch rule.format {
      case .email: self = .line(type: "email")
      case .password: self = .secret
      case nil: self = (rule.length.upper?.value ?? 0) > Self.longText ? .area : .line(type: "text")
      }
    case .integer: self = .number(isWhole: true)
    case .number: self = .number(isWhole: false)
    case .boolean: self = .checkbox
    case .choice(let choices): self = choices.count > Self.fewChoices ? .select(choices) : .radios(choices)
    case .list(let rule):
      if case .choice(let choices) = rule.items.rule { self = .checkboxes(choices) } else { self = .lines }
    case .object: self = .line(type: "text")
    }
  }

  /// Whether it is a group of controls under one legend.
  var isGroup: Bool {
    switch self {
    case .radios, .checkboxes: true
    default: false
    }
  }

  /// What the control of a choice sends.
  static func value(of choice: Schema.Choice) -> String { choice.value.string ?? choice.value.canonicalText }

  /// What the controls show for a value: one text, or several for a list.
  static func texts(of value: JSONValue) -> [String] {
    switch value {
    case .array(let elements): elements.flatMap(texts)
    case .string(let text): [text]
    case .null: []
    default: [value.canonicalText]
    }
  }
}
