import CoordinatorAnswers
import CoordinatorKit
import Platform
import RendererKit

/// Converts text of an answers file to the values that a schema requires.
package enum AnswerText {
  /// Converts text to a value as on a command line. For a Boolean, YAML's other words for true and false are accepted
  /// as well.
  static func value(of text: String, in schema: Schema) -> JSONValue {
    guard schema.rule == .boolean else { return FieldText.value(of: text, in: schema) }
    switch text.bytes.lowercased {
    case "true", "yes", "on": return true
    case "false", "no", "off": return false
    default: return .string(text)
    }
  }

  /// Builds the input of a flow.
  ///
  /// - Parameters:
  ///   - values: values of the file, by key.
  ///   - schema: schema of the flow's input.
  /// - Returns: the input, unchecked. The daemon checks it and names each key that is wrong.
  package static func input(_ values: [String: AnswerValue], schema: Schema?) -> [String: JSONValue] {
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
