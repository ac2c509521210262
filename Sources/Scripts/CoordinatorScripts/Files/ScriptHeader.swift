import Forms
import Platform

/// The first comment of a script, which says what the flow is: `# coordinator: title=A visit; version=1; rehearsable`.
struct ScriptHeader: Sendable, Hashable {
  /// What is wrong with a header.
  struct Mistake: Error, Sendable, Hashable, CustomStringConvertible {
    let line: Int
    let description: String
  }

  /// The lines in which a header may stand.
  private static let lines = 20

  var members: [String: String] = [:]

  /// Reads the header of a script; nil if it has none.
  ///
  /// - Parameter source: the beginning of the file.
  /// - Throws: ``Mistake``.
  init?(_ source: String) throws(Mistake) {
    let lines = source.bytes.split(separator: "\n", maxSplits: Self.lines, omittingEmptySubsequences: false).prefix(Self.lines)
    for (index, line) in lines.enumerated() {
      guard let comment = Self.comment(line) else { continue }
      try read(comment, line: index + 1)
      return
    }
    return nil
  }

  private static func comment(_ line: Substring) -> Substring? {
    let text = line.bytes.trimmed
    for mark in ["#", "//", "--"] {
      if let comment = text.bytes.dropping(prefix: mark)?.bytes.trimmed.bytes.dropping(prefix: "coordinator:") { return comment }
    }
    return nil
  }

  private mutating func read(_ comment: Substring, line: Int) throws(Mistake) {
    for part in comment.bytes.split(separator: ";") {
      let pair = part.bytes.split(separator: "=", maxSplits: 1).map { String($0.bytes.trimmed) }
      guard let key = pair.first, !key.isEmpty else { continue }
      guard ["title", "summary", "version", "rehearsable", "user", "input"].contains(key) else {
        throw Mistake(
          line: line, description: "there is no \(key): title, summary, version, rehearsable, input and user are known")
      }
      members[key] = pair.count > 1 ? pair[1] : ""
    }
  }

  /// Fills in what the header says.
  ///
  /// - Throws: ``Mistake``.
  func describe(_ script: inout Script) throws(Mistake) {
    if let title = members["title"], !title.isEmpty { script.title = title }
    if let summary = members["summary"] { script.summary = summary }
    if let text = members["version"] {
      guard let version = UInt32(text), version > 0 else {
        throw Mistake(line: 1, description: "the version is a number from 1 on, not \(text)")
      }
      script.version = version
    }
    script.isRehearsable = members["rehearsable"] != nil
    script.user = members["user"]
    if let input = members["input"] { script.input = try Self.schema(input) }
  }

  /// A schema of the fields `name` or `name?`, each of which is a text, separated by spaces or commas.
  private static func schema(_ text: String) throws(Mistake) -> JSONValue {
    var properties: [String: JSONValue] = [:]
    var required: [JSONValue] = []
    for field in text.bytes.replacing(",", with: " ").bytes.split(separator: " ") {
      let optional = field.bytes.dropping(suffix: "?")
      let name = String(optional ?? field)
      guard ScriptName.isName(name) else { throw Mistake(line: 1, description: "\(name) does not name an input") }
      properties[name] = ["type": "string", "title": .string(name)]
      if optional == nil { required.append(.string(name)) }
    }
    return ["type": "object", "properties": .object(properties), "required": .array(required), "additionalProperties": false]
  }
}
