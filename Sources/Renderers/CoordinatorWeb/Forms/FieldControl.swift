import CoordinatorKit
import RendererKit

/// The kind of control that edits a field on a page.
public enum FieldControl: Sendable, Hashable {
  /// A single-line `input` of this type.
  case line(type: String)
  /// A `textarea`.
  case area
  /// A text input for an integer, or for any number.
  case number(isWhole: Bool)
  /// A checkbox for a Boolean.
  case checkbox
  /// Radio buttons, for a few choices.
  case radios([Schema.Choice])
  /// A `select`, for many choices.
  case select([Schema.Choice])
  /// Checkboxes, for a list of choices.
  case checkboxes([Schema.Choice])
  /// A `textarea` for a list, one element per line.
  case lines
  /// Rows of controls, for a list of small objects.
  case entries
  /// A password input.
  case secret

  /// The maximum number of choices shown as radio buttons.
  static let fewChoices = 6
  /// The length, in characters, above which text gets a `textarea`.
  static let longText = 250

  /// Selects the control for a schema.
  public init(_ schema: Schema) {
    if schema.isSecret {
      self = .secret
      return
    }
    switch schema.rule {
    case .text(let rule):
      switch rule.format {
      case .email: self = .line(type: "email")
      case .uri: self = .line(type: "url")
      case .password: self = .secret
      case .telephone: self = .line(type: "tel")
      // Text inputs, because inputs for dates and times drop text that they cannot parse, and have no offset from UTC.
      case .date, .time, .localTime, .dateTime, .duration, .hostname, .ipv4, .ipv6, .internetAddress, .uuid, .filePath:
        self = .line(type: "text")
      case nil where schema.isMultiline: self = .area
      case nil: self = (rule.length.upper?.value ?? 0) > Self.longText ? .area : .line(type: "text")
      }
    case .integer: self = .number(isWhole: true)
    case .number: self = .number(isWhole: false)
    case .boolean: self = .checkbox
    case .choice(let choices): self = choices.count > Self.fewChoices ? .select(choices) : .radios(choices)
    case .list(let rule):
      switch rule.items.rule {
      case .choice(let choices): self = .checkboxes(choices)
      case .object: self = .entries
      default: self = .lines
      }
    case .object: self = .line(type: "text")
    }
  }

  /// Whether the control is a group of inputs with a legend.
  var isGroup: Bool {
    switch self {
    case .radios, .checkboxes, .entries: true
    default: false
    }
  }

  /// Returns the value that the control of a choice sends.
  static func value(of choice: Schema.Choice) -> String { choice.value.string ?? choice.value.canonicalText }

  /// Returns the strings that the controls show for a value; several for a list. An entry that is an object is a line in the
  /// format of ``EntryText``.
  static func texts(of value: JSONValue, in schema: Schema) -> [String] {
    if let entry = FieldText.entrySchema(of: schema) {
      return (value.array ?? [value]).map { EntryText.text(of: $0, in: entry) }
    }
    if case .number = schema.rule, value.number != nil { return [DecimalNumber.text(of: value.canonicalText)] }
    return texts(of: value)
  }

  /// Returns the strings that the controls show for a value that contains no objects.
  static func texts(of value: JSONValue) -> [String] {
    switch value {
    case .array(let elements): elements.flatMap { texts(of: $0) }
    case .string(let text): [text]
    case .null: []
    default: [value.canonicalText]
    }
  }
}
