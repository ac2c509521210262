import CoordinatorAnswers
import CoordinatorKit

/// Between what stands in an answers file and the value that a schema asks for.
enum AnswerText {
  /// The value of a text: as on a command line, and for a boolean also the other words that YAML has for true and false.
  static func value(of text: String, in schema: Schema) -> JSONValue {
    guard schema.rule == .boolean else { return FieldText.value(of: text, in: schema) }
    switch text.lowercased() {
    case "true", "yes", "on": return true
    case "false", "no", "off": return false
    default: return .string(text)
    }
  }

  /// The input of a flow.
  ///
  /// - Parameters:
  ///   - values: What the file says, by key.
  ///   - schema: The schema of the flow's input.
  /// - Returns: The input. It is not checked: the daemon does that, and names each key.
  static func input(_ values: [String: AnswerValue], schema: Schema?) -> [String: JSONValue] {
    let fields = schema?.fields ?? []
    return values.reduce(into: [:]) { input, entry in
      let schema = fields.first { $0.name == entry.key }?.schema
      switch entry.value {
      case .nothing, .reference: break
      case .text(let text): input[entry.key] = schema.map { Self.value(of: text, in: $0) } ?? .string(text)
      case .list(let texts):
        if case .list(let rule)? = schema?.rule {
          input[entry.key] = .array(texts.map { Self.value(of: $0, in: rule.items) })
        } else {
          input[entry.key] = .array(texts.map(JSONValue.string))
        }
      }
    }
  }
}
