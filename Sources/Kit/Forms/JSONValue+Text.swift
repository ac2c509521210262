extension JSONValue {
  /// The nesting depth of arrays and objects: 0 for a string, 1 for `[]`, 2 for `[{}]`.
  ///
  /// Not recursive, so that a deep value cannot overflow the stack.
  public var depth: Int {
    var deepest = 0
    var open: [(value: JSONValue, level: Int)] = [(self, 0)]
    while let (value, level) = open.popLast() {
      switch value {
      case .array(let elements):
        deepest = max(deepest, level + 1)
        for element in elements where element.isContainer { open.append((element, level + 1)) }
      case .object(let members):
        deepest = max(deepest, level + 1)
        for member in members.values where member.isContainer { open.append((member, level + 1)) }
      default: break
      }
    }
    return deepest
  }

  /// The value as JSON text without white space, which is the same for any two values with the same meaning.
  ///
  /// Keys are sorted by code points, members that are null are omitted, and a number without a fraction is written as
  /// an integer. Infinity and NaN, which JSON does not have, become null.
  public var canonicalText: String { text(omittingNulls: true) }

  /// Returns the value as JSON text like ``canonicalText``.
  ///
  /// - Parameter omittingNulls: whether members that are null are omitted.
  /// - Returns: the text.
  package func text(omittingNulls: Bool) -> String {
    var text = ""
    var rest: [Piece] = [.value(self)]
    while let piece = rest.popLast() {
      switch piece {
      case .text(let literal): text += literal
      case .value(.null): text += "null"
      case .value(.boolean(let value)): text += value ? "true" : "false"
      case .value(.integer(let value)): text += String(value)
      case .value(.number(let value)): text += Self.text(of: value)
      case .value(.string(let value)): Self.appendQuoted(value, to: &text)
      case .value(.array(let elements)):
        text += "["
        rest.append(.text("]"))
        for (index, element) in elements.enumerated().reversed() {
          rest.append(.value(element))
          if index > 0 { rest.append(.text(",")) }
        }
      case .value(.object(let members)):
        text += "{"
        rest.append(.text("}"))
        Self.push(omittingNulls ? members.filter { !$0.value.isNull } : members, onto: &rest)
      }
    }
    return text
  }

  /// The value as JSON text for people: a line for each element and member, indented by two spaces, with sorted keys.
  /// Members that are null are kept. Recursive; only for values that are not deep.
  package var indentedText: String { indentedText(after: "\n") }

  private func indentedText(after lineBreak: String) -> String {
    let inner = lineBreak + "  "
    switch self {
    case .array(let elements) where !elements.isEmpty:
      return "[" + inner + elements.map { $0.indentedText(after: inner) }.joined(separator: "," + inner) + lineBreak + "]"
    case .object(let members) where !members.isEmpty:
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      let lines = sorted.map { member in
        var line = ""
        Self.appendQuoted(member.key, to: &line)
        return line + " : " + member.value.indentedText(after: inner)
      }
      return "{" + inner + lines.joined(separator: "," + inner) + lineBreak + "}"
    default: return text(omittingNulls: false)
    }
  }

  private enum Piece {
    case text(String)
    case value(JSONValue)
  }

  private var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }

  private static func push(_ members: [String: JSONValue], onto rest: inout [Piece]) {
    let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for (index, member) in sorted.enumerated().reversed() {
      var name = index > 0 ? "," : ""
      appendQuoted(member.key, to: &name)
      rest.append(.value(member.value))
      rest.append(.text(name + ":"))
    }
  }

  private static func text(of number: Double) -> String {
    if let integer = Int64(exactly: number) { return String(integer) }
    return number.isFinite ? number.description : "null"
  }

  private static func appendQuoted(_ string: String, to text: inout String) {
    text += "\""
    defer { text += "\"" }
    guard string.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
      text += string
      return
    }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
