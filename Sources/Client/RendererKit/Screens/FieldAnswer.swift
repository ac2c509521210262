import CoordinatorKit
import Platform

/// The interpretation of a line as the answer to a field.
package enum FieldAnswer: Sendable, Hashable {
  /// A valid value.
  case value(JSONValue)
  /// No value: the field is omitted.
  case leftOut
  /// An invalid answer; the reason is a sentence with the title of the field as its subject.
  case wrong(String)

  /// Interprets a line.
  ///
  /// - Parameters:
  ///   - line: typed line, or several lines for a text or the entries of a list. A choice may be given by its number, title or
  ///     value.
  ///   - field: field to answer.
  ///   - offered: value for an empty line; nil for none.
  ///   - isLiteral: whether a number is a value instead of the number of a choice.
  package init(_ line: String, for field: Field, offered: JSONValue?, isLiteral: Bool = false) {
    if line.isEmpty, let offered {
      self = .value(offered)
      return
    }
    guard let value = Self.value(line, in: field.schema, isLiteral: isLiteral) else {
      let reason = Text("is not one of the choices").string
      self = line.isEmpty ? Self.nothing(for: field) : .wrong(FormReasons.sentence(reason, about: field))
      return
    }
    self.init(value, for: field)
    if line.isEmpty, case .wrong = self { self = Self.nothing(for: field) }
  }

  /// Checks a value against the field's schema.
  package init(_ value: JSONValue, for field: Field) {
    let reasons = FormReasons(Schema.object([field]).check([field.name: value]), of: [field])
    let reason = reasons.fields[field.name]?.sentence ?? reasons.others.values.min()
    self = reason.map(FieldAnswer.wrong) ?? .value(value)
  }

  /// Returns the interpretation of a missing answer, which is wrong if one is required.
  package static func nothing(for field: Field) -> FieldAnswer {
    field.isRequiredIfShown ? .wrong(FormReasons.sentence(Text("is required").string, about: field)) : .leftOut
  }

  private static func value(_ line: String, in schema: Schema, isLiteral: Bool) -> JSONValue? {
    switch schema.rule {
    case .choice(let choices): return choice(line, among: choices, isLiteral: isLiteral)
    case .boolean:
      switch line.lowercased() {
      case "true": return true
      case "false": return false
      default: return YesOrNo.value(of: line).map(JSONValue.boolean) ?? .string(line)
      }
    case .list(let rule):
      var elements: [JSONValue] = []
      let isOfObjects = FieldText.entrySchema(of: schema) != nil
      let parts = isOfObjects ? line.filledLines : line.bytes.split(separator: ",")
      for part in parts {
        if isOfObjects, part.trimmed.isEmpty { continue }
        guard let element = value(part.trimmed, in: rule.items, isLiteral: isLiteral) else { return nil }
        elements.append(element)
      }
      return .array(elements)
    default: return FieldText.value(of: line, in: schema)
    }
  }

  private static func choice(_ line: String, among choices: [Schema.Choice], isLiteral: Bool) -> JSONValue? {
    if !isLiteral, let number = Int(line), choices.indices.contains(number - 1) { return choices[number - 1].value }
    return choices.first { $0.value.plainText.bytes.equals(line) }?.value
      ?? choices.first { $0.title?.lowercased() == line.lowercased() }?.value
  }
}

extension StringProtocol {
  /// The string without leading and trailing white space.
  package var trimmed: String {
    var rest = String(decoding: utf8, as: UTF8.self)[...].unicodeScalars
    while rest.first?.properties.isWhitespace == true { rest.removeFirst() }
    while rest.last?.properties.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}

extension String {
  /// The lines that are not empty, ended by line feeds, carriage returns, or both.
  package var filledLines: [Substring] {
    utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map { Substring($0) }
  }
}
