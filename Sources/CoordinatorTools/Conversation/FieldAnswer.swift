import CoordinatorKit

/// What a line means as the answer to a field.
enum FieldAnswer: Sendable, Hashable {
  /// This value.
  case value(JSONValue)
  /// Nothing: the field is left out.
  case leftOut
  /// No answer, for this reason.
  case wrong(String)

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - line: What was typed. Choices may be given by number, by title or by value.
  ///   - field: The field that was asked for.
  ///   - offered: What an empty line stands for.
  init(_ line: String, for field: Field, offered: JSONValue?) {
    if line.isEmpty, let offered {
      self = .value(offered)
      return
    }
    let value = Self.value(line, in: field.schema)
    let reason = value.flatMap { Schema.object([field]).check([field.name: $0])[field.name] }
    switch (value, reason) {
    case (let value?, nil): self = .value(value)
    case (_, _) where line.isEmpty: self = field.isRequired ? .wrong("an answer is needed") : .leftOut
    case (nil, _): self = .wrong("choose one of the above")
    case (_, let reason?): self = .wrong(reason)
    }
  }

  private static func value(_ line: String, in schema: Schema) -> JSONValue? {
    switch schema.rule {
    case .choice(let choices): return choice(line, among: choices)
    case .boolean:
      switch line.lowercased() {
      case "y", "yes", "true": return true
      case "n", "no", "false": return false
      default: return .string(line)
      }
    case .list(let rule):
      var elements: [JSONValue] = []
      for part in line.split(separator: ",") {
        guard let element = value(part.trimmed, in: rule.items) else { return nil }
        elements.append(element)
      }
      return .array(elements)
    default: return FieldText.value(of: line, in: schema)
    }
  }

  private static func choice(_ line: String, among choices: [Schema.Choice]) -> JSONValue? {
    if let number = Int(line), choices.indices.contains(number - 1) { return choices[number - 1].value }
    return choices.first { $0.value.plainText == line }?.value
      ?? choices.first { $0.title?.lowercased() == line.lowercased() }?.value
  }
}

extension StringProtocol {
  /// Without white space at both ends.
  package var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
