import CoordinatorKit
import CoordinatorScripts
import Forms
import Platform
import ScriptEngine

extension ExploredProblem {
  /// What helps against differences.
  static let advice = [
    "  What depends on time, chance, files or the environment belongs in a look, or in now, random and uuid."
  ]

  /// Describes a difference between two runs of a script with the same log.
  ///
  /// - Parameters:
  ///   - difference: the first difference.
  ///   - script: the script.
  ///   - path: the answers that lead to it.
  init(
    _ difference: (index: Int, one: ScriptTrace.Operation?, other: ScriptTrace.Operation?), of script: Script,
    after path: [String]
  ) {
    let (one, other) = (difference.one, difference.other)
    let number = difference.index + 1
    guard let one, let other, one.kind == other.kind, one.key == other.key,
      let (first, second) = one.content.difference(from: other.content)
    else {
      self.init(
        id: ([script.name] + [one?.key ?? "", other?.key ?? ""].sorted()).joined(separator: " "),
        lines: [
          "\(script.name): two runs with the same log differ at operation \(number):",
          "  \(one?.text(in: script) ?? "nothing")", "  \(other?.text(in: script) ?? "nothing")",
        ] + Self.advice, path: path)
      return
    }
    self.init(
      id: "\(script.name) \(LogEntry(one.key, .patch).name)",
      lines: [
        "\(script.name): two runs with the same log differ at operation \(number), \(one.text(in: script)):", "  \(first)",
        "  \(second)",
      ] + Self.advice, path: path)
  }
}

extension ScriptTrace.Operation {
  /// The operation, and where it stands in the script.
  func text(in script: Script) -> String {
    switch kind {
    case "finish", "cancel", "fail", "again": "\(kind) \(content[kind]?.canonicalText ?? "")"
    case "crash": "a mistake: \(key)"
    case "nothing": "nothing within 20 seconds"
    default: "\(kind) \"\(key)\"\(place(in: script).map { " at \($0)" } ?? "")"
    }
  }

  /// The file and the line. A script of the shell does not know it: there it is the first line with this command.
  private func place(in script: Script) -> String? {
    if !place.isEmpty { return place }
    guard let data = FileContent.read(script.path) else { return nil }
    let name = LogEntry(key, .patch).name
    let lines = String(decoding: data, as: UTF8.self).bytes.split(separator: "\n", omittingEmptySubsequences: false)
    let index = lines.firstIndex { line in
      let words = line.utf8.split { " \t\"'".utf8.contains($0) }.map { Substring($0) }
      let ask = words.firstIndex { $0.bytes.equals("ask") || $0.bytes.hasSuffix("(ask") || $0.bytes.hasSuffix("`ask") }
      return ask.map { words[$0...].contains { $0.bytes.equals(name) } } ?? false
    }
    return index.map { "\(script.file):\($0 + 1)" }
  }
}
