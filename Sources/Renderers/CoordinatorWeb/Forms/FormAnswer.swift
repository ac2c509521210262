import CoordinatorKit
import Platform
import RendererKit

/// The contents of a submitted form.
public struct FormAnswer: Sendable, Hashable {
  /// The prefix of the names of field controls, which keeps them apart from the page's own controls.
  static let prefix = "field."

  /// The payload, unchecked. The daemon checks it and names each field that is wrong.
  public let payload: [String: JSONValue]
  /// The typed text, by field, without secrets. For a list of small objects, a line for each row.
  public let typed: [String: [String]]
  /// The same without empty rows, so that the daemon's reasons refer to the remaining rows by number.
  let typedEntries: [String: [String]]
  /// The names of the secret fields that were filled in.
  public let filledSecrets: Set<String>
  /// The draft for other renderers: values of the fields' types, or the text typed so far.
  private let draft: [String: JSONValue]

  /// Reads a submitted form.
  ///
  /// - Parameters:
  ///   - body: submitted names and values.
  ///   - fields: fields of the form. All other names are ignored.
  public init(_ body: FormBody, fields: [Field]) {
    var payload: [String: JSONValue] = [:]
    var typed: [String: [String]] = [:]
    var typedEntries: [String: [String]] = [:]
    var filledSecrets: Set<String> = []
    var draft: [String: JSONValue] = [:]
    let sent = Dictionary(grouping: body.pairs, by: \.name).mapValues { $0.map(\.value) }
    for field in fields {
      if FieldControl(field.schema) == .entries {
        let rows = EntryRows(field, sent: sent)
        let values = rows.values
        payload[field.name] = values.isEmpty && !field.isRequiredIfShown ? nil : .array(values)
        (typed[field.name], typedEntries[field.name]) = (rows.lines, rows.entryLines)
        draft[field.name] = values.isEmpty ? nil : .array(values)
        continue
      }
      let texts = (sent[Self.prefix + field.name] ?? []).map(\.withPlainLineBreaks)
      payload[field.name] = Self.value(of: texts, for: field)
      guard !field.schema.isSecret else {
        if payload[field.name] != nil { filledSecrets.insert(field.name) }
        continue
      }
      typed[field.name] = texts
      draft[field.name] = payload[field.name] ?? texts.first.flatMap { $0.isEmpty ? nil : .string($0) }
    }
    // Without JavaScript, a page shows all fields.
    let shown = Schema.object(fields).shownFields(in: payload)
    self.payload = payload.filter { shown.contains($0.key) }
    self.typed = typed
    self.typedEntries = typed.merging(typedEntries) { $1 }
    self.filledSecrets = filledSecrets
    self.draft = draft
  }

  /// Returns the draft for other renderers: the previous one, updated with the text typed here. Untouched fields keep following
  /// the flow.
  ///
  /// - Parameters:
  ///   - controls: names of the controls that were touched.
  ///   - known: previous draft.
  /// - Returns: the new draft.
  func draft(replacing controls: [String], in known: [String: JSONValue]) -> [String: JSONValue] {
    var result = known
    for name in Set(controls.compactMap { Self.field(ofControl: $0) }) { result[name] = draft[name] }
    return result
  }

  /// Returns the name of the field that a control belongs to; nil if it belongs to none.
  static func field(ofControl name: String) -> String? {
    if let field = name.bytes.dropping(prefix: prefix) { return String(field) }
    guard let place = name.bytes.dropping(prefix: EntryRows.prefix) else { return nil }
    let encoded = place.bytes.cut(at: "/")?.before ?? place
    return PercentEncoding.decode(encoded.utf8).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the value of a field; nil if it is omitted.
  static func value(of texts: [String], for field: Field) -> JSONValue? {
    let schema = field.schema
    switch FieldControl(schema) {
    // An unchecked box sends no value, which means false.
    case .checkbox: return .boolean(texts.contains("true"))
    case .checkboxes:
      let values = texts.map { FieldText.value(of: $0, in: schema) }.flatMap { $0.array ?? [] }
      return values.isEmpty && !field.isRequiredIfShown ? nil : .array(values)
    case .lines:
      let lines = texts.flatMap { $0.bytes.split(separator: "\n") }.map(String.init).filter { !$0.trimmed.isEmpty }
      let values = lines.flatMap { FieldText.value(of: $0, in: schema).array ?? [] }
      return values.isEmpty && !field.isRequiredIfShown ? nil : .array(values)
    case .secret: return texts.first.flatMap { $0.isEmpty ? nil : FieldText.value(of: $0, in: schema) }
    default:
      guard let text = texts.first else { return nil }
      // Choices are not typed, so the blanks around a value belong to it.
      let typed = schema.isChoice ? text : text.trimmed
      let value = FieldText.value(of: schema.isText ? text : typed, in: schema)
      guard typed.isEmpty else { return value }
      // The field is empty. If an empty text is not a valid value, sending nothing yields the daemon's best error.
      return field.isRequiredIfShown && Schema.object([field]).check([field.name: value]).isEmpty ? value : nil
    }
  }
}

extension Schema {
  fileprivate var isText: Bool { if case .text = rule { true } else { false } }
  fileprivate var isChoice: Bool { if case .choice = rule { true } else { false } }
}

extension String {
  /// The string with LF line breaks. Forms send CR LF (HTML standard, "Converting an entry list to a list of name-value
  /// pairs").
  var withPlainLineBreaks: String { bytes.replacing("\r\n", with: "\n") }
}

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
