import CoordinatorKit
import Platform

/// Converts between the entries of a list of small objects and lines of text.
///
/// An entry is a line of assignments, such as `ip=192.0.2.1 label="my host"`, or a JSON object. In quotation marks, a
/// backslash precedes a quotation mark or a backslash.
package enum EntryText {
  /// Converts a line to an entry. A line that cannot be read is returned as a string, which no schema of an entry
  /// accepts.
  ///
  /// - Parameters:
  ///   - line: line that was typed.
  ///   - schema: schema of the entry, an object.
  /// - Returns: an object, unchecked; or a string.
  package static func value(of line: String, in schema: Schema) -> JSONValue {
    let line = line.trimmed
    if line.utf8.first == UInt8(ascii: "{") {
      let json = try? JSONValue(parsing: line.utf8)
      return json?.object == nil ? .string(line) : json ?? .string(line)
    }
    guard let pairs = pairs(in: line), !pairs.isEmpty else { return .string(line) }
    let fields = Dictionary(schema.fields.map { ($0.name, $0.schema) }, uniquingKeysWith: { first, _ in first })
    var members: [String: JSONValue] = [:]
    for (name, text) in pairs {
      guard members[name] == nil else { return .string(line) }
      members[name] = fields[name].map { FieldText.value(of: text, in: $0) } ?? .string(text)
    }
    return .object(members)
  }

  /// Returns the line for an entry: assignments if all names and values can be written that way, otherwise JSON. A value
  /// that is not an object is returned as it is.
  package static func text(of value: JSONValue, in schema: Schema) -> String {
    guard let members = value.object else { return value.string ?? value.canonicalText }
    let known = schema.fields.map(\.name).filter { members[$0] != nil }
    let names = known + members.keys.filter { !known.contains($0) }.sorted()
    var words: [String] = []
    for name in names {
      guard let value = members[name], !value.isNull else { continue }
      guard isPlain(name), let text = quoted(value) else { return JSONValue.object(members).canonicalText }
      words.append("\(name)=\(text)")
    }
    return words.isEmpty ? "{}" : words.joined(separator: " ")
  }

  /// Returns an example of a line, such as `ip=192.0.2.1 port=1`.
  package static func sample(of schema: Schema) -> String {
    let members = schema.fields.map { ($0.name, sample(ofField: $0.schema)) }
    return text(of: .object(Dictionary(members, uniquingKeysWith: { first, _ in first })), in: schema)
  }

  private static func sample(ofField schema: Schema) -> JSONValue {
    if let example = schema.examples.first ?? schema.defaultValue { return example }
    return switch schema.rule {
    case .text(let rule): .string(rule.format?.example ?? "text")
    case .integer(let bounds): .integer(bounds.lower?.value ?? 1)
    case .number(let bounds): JSONValue(bounds.lower?.value ?? 1)
    case .boolean: true
    case .choice(let choices): choices.first?.value ?? "text"
    case .list, .object: "text"
    }
  }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first != "{" else { return false }
    return !name.unicodeScalars.contains { $0.properties.isWhitespace || $0 == "=" }
  }

  /// Returns a value as it is written after `=`; nil if it must be written as JSON.
  private static func quoted(_ value: JSONValue) -> String? {
    guard value.array == nil, value.object == nil else { return nil }
    let text = value.string ?? value.canonicalText
    let scalars = text.unicodeScalars
    guard !scalars.contains(where: \.isLineBreak) else { return nil }
    guard scalars.isEmpty || scalars.first == "\"" || scalars.contains(where: \.properties.isWhitespace) else { return text }
    var quoted = "\""
    for scalar in scalars {
      if scalar == "\"" || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }

  /// Returns the names and values of a line of assignments; nil if it is not such a line.
  private static func pairs(in line: String) -> [(name: String, text: String)]? {
    var rest = line[...]
    var pairs: [(name: String, text: String)] = []
    while !rest.isEmpty {
      guard let (name, after) = rest.bytes.cut(at: "="), !name.isEmpty,
        !name.unicodeScalars.contains(where: \.properties.isWhitespace)
      else { return nil }
      rest = after
      guard let text = takeValue(from: &rest) else { return nil }
      pairs.append((String(name), text))
      rest = Substring(rest.unicodeScalars.drop(while: \.properties.isWhitespace))
    }
    return pairs
  }

  private static func takeValue(from rest: inout Substring) -> String? {
    var scalars = rest.unicodeScalars
    defer { rest = Substring(scalars) }
    guard scalars.first == "\"" else {
      let text = scalars.prefix { !$0.properties.isWhitespace }
      scalars = scalars[text.endIndex...]
      return String(text)
    }
    scalars.removeFirst()
    var text = String.UnicodeScalarView()
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\"": return scalars.first?.properties.isWhitespace == false ? nil : String(text)
      case "\\": if let next = scalars.popFirst() { text.append(next) }
      default: text.append(scalar)
      }
    }
    return nil
  }
}

extension Unicode.Scalar {
  fileprivate var isLineBreak: Bool {
    switch value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}
