import CoordinatorScripts
import Forms
import Platform
import ScriptEngine

/// A problem of a script.
package struct ExploredProblem: Sendable, Hashable {
  /// What a walk looks for. The raw values are in the output for programs.
  package enum Check: String, Sendable, Hashable, CaseIterable {
    /// A script ends with an error, or a question cannot be shown.
    case mistake
    /// Two runs with the same log differ.
    case difference
    /// Nothing can happen any more.
    case deadEnd = "dead-end"
    /// Back does not lead to the question before, as it was.
    case wrongBack = "wrong-back"
    /// No path leads to an end.
    case noPaths = "no-paths"
    /// A step, a look or a stub does not end.
    case endlessWork = "endless-work"
    /// A field begins with a value that it does not accept.
    case wrongDefault = "wrong-default"
    /// A step names a secret that it cannot have.
    case spentSecret = "spent-secret"
    /// The walk was ended before all paths were walked, although all had to be.
    case incomplete
    /// A field with a pattern accepts texts of any length.
    case endlessPattern = "endless-pattern"
    /// One name stands for different operations.
    case sharedName = "shared-name"
    /// No values of a form are known, so that nothing behind it was tried.
    case untriedForm = "untried-form"
    /// A text is the same in another language.
    case untranslated
  }

  /// How serious a problem is.
  package enum Severity: String, Sendable, Hashable { case error, warning }

  /// Where a problem is.
  package struct Place: Sendable, Hashable {
    package var file: String
    package var line: Int
  }

  package let check: Check
  /// The same for the same mistake on several paths.
  let id: String
  /// What is wrong.
  package var lines: [String]
  /// Where it is in the script; nil if unknown.
  package var place: Place?
  /// The answers that lead to it.
  package var path: [String]

  init(_ check: Check, id: String, lines: [String], at place: Place? = nil, path: [String] = []) {
    (self.check, self.id, self.lines, self.place, self.path) = (check, id, lines, place, path)
  }

  /// Returns the problem with the answers that lead to it.
  func after(_ words: [String]) -> ExploredProblem {
    var problem = self
    problem.path = words
    return problem
  }
}

extension ExploredProblem.Check {
  package var severity: ExploredProblem.Severity {
    switch self {
    case .mistake, .difference, .deadEnd, .wrongBack, .noPaths, .endlessWork, .wrongDefault, .spentSecret, .incomplete: .error
    case .endlessPattern, .sharedName, .untriedForm, .untranslated: .warning
    }
  }

  /// What is the case if there is no problem, for people.
  package var promise: String {
    switch self {
    case .mistake: "no path ends with a mistake"
    case .difference: "all runs with the same log are the same"
    case .deadEnd: "every question can be answered"
    case .wrongBack: "Back leads to the question before"
    case .noPaths: "a path leads to an end"
    case .endlessWork: "all looks and stubs end"
    case .wrongDefault: "all fields accept their own initial values"
    case .spentSecret: "every step has its secrets"
    case .incomplete: "all paths were walked"
    case .endlessPattern: "all texts with patterns have a limit"
    case .sharedName: "different questions and steps have different names"
    case .untriedForm: "values are known for every form"
    case .untranslated: "all texts are translated"
    }
  }
}

extension ExploredProblem.Place {
  /// Reads a place such as `brew.py:12`.
  init?(_ text: String) {
    guard let (file, line) = text.bytes.cutLast(at: ":"), let number = Int(line), !file.isEmpty else { return nil }
    self.init(file: String(file), line: number)
  }

  /// Reads the place at the end of the description of a crash, such as `KeyError: 'b' (brew.py:12)`.
  init?(endOf text: String) {
    guard let rest = text.bytes.dropping(suffix: ")"), let (_, place) = rest.bytes.cutLast(at: "(") else { return nil }
    self.init(String(place))
  }

  var text: String { "\(file):\(line)" }
}

extension ExploredProblem {
  /// Describes a mistake of a script.
  ///
  /// - Parameters:
  ///   - text: what is wrong.
  ///   - path: the answers that lead to it.
  ///   - stubs: the commands that are executed in place of steps; nil if steps are done.
  /// - Returns: the problem.
  static func mistake(_ text: String, after path: [String], doing stubs: Stubs?) -> ExploredProblem {
    let names = path.compactMap { $0.bytes.dropping(prefix: "step ")?.bytes.dropping(suffix: ": done").map(String.init) }
    let empty = stubs.flatMap { stubs in names.last { stubs.commands[$0] == nil } }
    let advice = empty.map { ["  The step \($0) was not done, and has printed nothing: --stub \($0)=COMMAND gives it a result."] }
    return ExploredProblem(.mistake, id: text, lines: [text] + (advice ?? []), at: Place(endOf: text), path: path)
  }

  /// Advice on how to remove differences.
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
        .difference, id: ([script.name] + [one?.key ?? "", other?.key ?? ""].sorted()).joined(separator: " "),
        lines: [
          "\(script.name): two runs with the same log differ at operation \(number):",
          "  \(one?.text(in: script) ?? "nothing")", "  \(other?.text(in: script) ?? "nothing")",
        ] + Self.advice, at: (one ?? other)?.places(in: script).first, path: path)
      return
    }
    self.init(
      .difference, id: "\(script.name) \(LogEntry(one.key, .patch).name)",
      lines: [
        "\(script.name): two runs with the same log differ at operation \(number), \(one.text(in: script)):", "  \(first)",
        "  \(second)",
      ] + Self.advice, at: one.places(in: script).first, path: path)
  }
}

extension ScriptTrace.Operation {
  /// The name, without the number of its use.
  var name: String { LogEntry(key, .patch).name }

  /// The operation, and its place in the script.
  func text(in script: Script) -> String {
    switch kind {
    case "finish", "cancel", "fail", "again": "\(kind) \(content[kind]?.canonicalText ?? "")"
    case "crash": "a mistake: \(key)"
    case "nothing": "nothing within 20 seconds"
    default: "\(kind) \"\(key)\"\(places(in: script).first.map { " at \($0.text)" } ?? "")"
    }
  }

  /// The file and the line. A shell script does not report them: then all lines with such a command, of which the operation is
  /// one.
  func places(in script: Script) -> [ExploredProblem.Place] {
    place.isEmpty ? script.places(of: name) : ExploredProblem.Place(place).map { [$0] } ?? []
  }
}

extension Script {
  /// The lines of a shell script in which `ask` has a word.
  ///
  /// - Parameter name: the word, the name of an operation.
  /// - Returns: the places.
  func places(of name: String) -> [ExploredProblem.Place] {
    guard kind == .processes, let data = FileContent.read(path) else { return [] }
    let lines = String(decoding: data, as: UTF8.self).bytes.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.filter { index in
      let words = lines[index].utf8.split { " \t\"'".utf8.contains($0) }.map { Substring($0) }
      let ask = words.firstIndex { $0.bytes.equals("ask") || $0.bytes.hasSuffix("(ask") || $0.bytes.hasSuffix("`ask") }
      return ask.map { words[$0...].prefix(3).contains { $0.bytes.equals(name) } } ?? false
    }.map { .init(file: file, line: $0 + 1) }
  }
}
