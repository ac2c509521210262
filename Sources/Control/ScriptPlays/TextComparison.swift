import CoordinatorKit
import CoordinatorScripts
import Forms
import Platform
import ScriptEngine

/// Finds the texts of scripts that are the same in another language, because they are not translated.
struct TextComparison {
  private let scripts: LocalScripts
  private let language: String

  init(_ scripts: LocalScripts, _ language: String) { (self.scripts, self.language) = (scripts, language) }

  /// Executes scripts again in the language.
  ///
  /// - Parameter walked: logs that lead to all questions.
  /// - Returns: a problem for each question with texts that are not translated.
  func untranslated(in walked: [RunComparison.Walked]) async -> [ExploredProblem] {
    var known: Set<String> = []
    var problems: [ExploredProblem] = []
    for way in walked {
      let questions = way.trace.operations.filter { $0.kind == "ask" }
      let new = questions.filter { known.insert("\(way.script.name) \($0.name)").inserted }
      guard !new.isEmpty else { continue }
      let other = await scripts.trace(way.script, as: way.instance, with: way.log, in: language)
      for question in new {
        guard let translated = other.operations.first(where: { $0.kind == "ask" && $0.key.bytes.equals(question.key) }) else {
          continue
        }
        let same = question.content.texts.filter(Set(translated.content.texts).contains)
        guard !same.isEmpty else { continue }
        let quoted = same.map { "\"\($0)\"" }.joined(separator: ", ")
        problems.append(
          ExploredProblem(
            .untranslated, id: "\(language) \(way.script.name) \(question.name)",
            lines: ["\(way.script.name): the question \(question.name) has the same texts in \(language): \(quoted)"],
            at: question.places(in: way.script).first, path: way.words))
      }
    }
    return problems
  }
}

extension JSONValue {
  /// The keys of a screen, its actions and its fields whose values are written for people by the author, and do not come from
  /// data as rows and values do.
  private static let written: Set<String> = ["title", "body", "description", "message", "text"]
  private static let data: Set<String> = ["items", "values", "review", "picture", "name", "id"]

  /// The texts of a screen that its author has written, without those that are translated by default.
  fileprivate var texts: [String] {
    switch self {
    case .array(let elements): return elements.flatMap(\.texts)
    case .object(let members):
      if let id = members["id"]?.string, let title = members["title"]?.string, Screen.isDefault(id, title) { return [] }
      return members.sorted { $0.key < $1.key }.flatMap { key, value -> [String] in
        if Self.data.contains(key) { return [] }
        guard let text = value.string else { return value.texts }
        return Self.written.contains(key) && text.unicodeScalars.contains(where: \.properties.isAlphabetic) ? [text] : []
      }
    case .null, .boolean, .integer, .number, .string: return []
    }
  }
}
