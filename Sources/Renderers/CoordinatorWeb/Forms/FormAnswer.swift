import CoordinatorKit
import CoordinatorTools

/// What a form on a page was filled in with.
public struct FormAnswer: Sendable, Hashable {
  /// What the names of the controls of fields begin with, so that none is taken for one of ours.
  static let prefix = "field."

  /// The payload, not checked: the daemon does that, and names each field.
  public let payload: [String: JSONValue]
  /// What was typed, by field, without secrets.
  public let typed: [String: [String]]
  /// The secrets that were filled in, by field: that they were, and no more.
  public let filledSecrets: Set<String>
  /// The same as other renderers are to see it: values of the fields' types, or texts as far as they were typed.
  private let draft: [String: JSONValue]

  /// Reads what a form sent.
  ///
  /// - Parameters:
  ///   - body: What was sent.
  ///   - fields: The fields of the form. Others are not looked at.
  public init(_ body: FormBody, fields: [Field]) {
    var payload: [String: JSONValue] = [:]
    var typed: [String: [String]] = [:]
    var filledSecrets: Set<String> = []
    var draft: [String: JSONValue] = [:]
    let sent = Dictionary(grouping: body.pairs, by: \.name).mapValues { $0.map(\.value) }
    for field in fields {
      let texts = (sent[Self.prefix + field.name] ?? []).map(\.withPlainLineBreaks)
      payload[field.name] = Self.value(of: texts, for: field)
      guard !field.schema.isSecret else {
        if payload[field.name] != nil { filledSecrets.insert(field.name) }
        continue
      }
      typed[field.name] = texts
      draft[field.name] = payload[field.name] ?? texts.first.flatMap { $0.isEmpty ? nil : .string($0) }
    }
    self.payload = payload
    self.typed = typed
    self.filledSecrets = filledSecrets
    self.draft = draft
  }

  /// What other renderers are to see: what they knew, and what was typed here. A field that nobody has touched follows the flow.
  ///
  /// - Parameters:
  ///   - controls: The names of the controls that were touched.
  ///   - known: What was kept until now.
  /// - Returns: What to keep instead.
  func draft(replacing controls: [String], in known: [String: JSONValue]) -> [String: JSONValue] {
    var result = known
    for control in controls where control.hasPrefix(Self.prefix) {
      let name = String(control.dropFirst(Self.prefix.count))
      result[name] = draft[name]
    }
    return result
  }

  /// The value that was meant; nil if the field was left out.
  private static func value(of texts: [String], for field: Field) -> JSONValue? {
    let schema = field.schema
    switch FieldControl(schema) {
    // A box that is not ticked sends nothing, and means no.
    case .checkbox: return .boolean(texts.contains("true"))
    case .checkboxes:
      let values = texts.map { FieldText.value(of: $0, in: schema) }.flatMap { $0.array ?? [] }
      return values.isEmpty && !field.isRequired ? nil : .array(values)
    case .lines:
      let lines = texts.flatMap { $0.split(separator: "\n") }.map(String.init)
      let values = lines.flatMap { FieldText.value(of: $0, in: schema).array ?? [] }
      return values.isEmpty && !field.isRequired ? nil : .array(values)
    case .secret: return texts.first.flatMap { $0.isEmpty ? nil : FieldText.value(of: $0, in: schema) }
    default:
      guard let text = texts.first else { return nil }
      let value = FieldText.value(of: schema.isText ? text : text.trimmed, in: schema)
      guard text.trimmed.isEmpty else { return value }
      // Nothing was typed. That may be an answer; if it is none, the daemon says so best if nothing is sent.
      return field.isRequired && Schema.object([field]).check([field.name: value]).isEmpty ? value : nil
    }
  }
}

extension Schema {
  fileprivate var isText: Bool { if case .text = rule { true } else { false } }
}

extension String {
  /// Forms send CR LF for each line break that was typed.
  fileprivate var withPlainLineBreaks: String {
    split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n")
  }
}
