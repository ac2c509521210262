import CoordinatorKit
import CoordinatorScripts
import Forms
import Platform
import ScriptEngine

extension Screen {
  /// The mistakes in what a script has asked to show, with the name of the field.
  var faults: [(check: ExploredProblem.Check, field: String, text: String)] {
    (form?.fields ?? []).flatMap { field in field.faults(beginningWith: values[field.name]) }
  }

  /// Whether it is a list that never has a row which can be chosen.
  var hasNoRows: Bool { items.map { rows in !rows.contains { $0.disabled == nil } } ?? false }
}

extension Field {
  fileprivate func faults(beginningWith value: JSONValue?) -> [(check: ExploredProblem.Check, field: String, text: String)] {
    var faults: [(check: ExploredProblem.Check, field: String, text: String)] = []
    for value in [value, schema.defaultValue].compactMap(\.self) where !schema.isSecret && value != .null && value != "" {
      guard let reason = schema.firstProblem(with: value) else { continue }
      faults.append(
        (.wrongDefault, name, "the field \(name) begins with \(value.canonicalText), which it does not accept: it \(reason)"))
      break
    }
    if case .text(let rule) = schema.rule, rule.length.upper == nil, let pattern = rule.pattern, pattern.isEndless {
      faults.append(
        (.endlessPattern, name, "the field \(name) has a pattern, but accepts texts of any length: give it a --length"))
    }
    return faults
  }
}

extension Pattern {
  /// The pattern that `ask` gives to the text of a single line.
  private static let singleLine = "^[^\\n\\r]*$"

  /// Whether texts of any length can match, as far as this is visible: the pattern is not anchored, or repeats without a
  /// limit.
  fileprivate var isEndless: Bool {
    guard !source.bytes.equals(Self.singleLine) else { return false }
    guard source.bytes.hasPrefix("^"), source.bytes.hasSuffix("$") else { return true }
    var isInClass = false
    var scalars = source.unicodeScalars.makeIterator()
    var previous: Unicode.Scalar = " "
    while let scalar = scalars.next() {
      switch scalar {
      case "\\": _ = scalars.next()
      case "[": isInClass = true
      case "]": isInClass = false
      case "*", "+", "|": if !isInClass { return true }
      // A repetition without an upper limit: {2,}.
      case "}": if !isInClass, previous == "," { return true }
      default: break
      }
      previous = scalar
    }
    return false
  }
}

extension ScriptTrace {
  /// The names that stand for different operations of one run, with the reasons.
  ///
  /// One name may be used again for the same thing, as loops do: for the same line of the script, or with the same title.
  func sharedNames(in script: Script) -> [ExploredProblem] {
    let named = operations.filter { Self.named.contains($0.kind) }
    var problems: [ExploredProblem] = []
    for (index, operation) in named.enumerated() {
      guard let other = named[..<index].last(where: { $0.name.bytes.equals(operation.name) && $0.isOther(operation, in: script) })
      else { continue }
      problems.append(
        ExploredProblem(
          .sharedName, id: "\(script.name) \(operation.name)",
          lines: [
            "\(script.name): the name \(operation.name) stands for different things in one run:", "  \(other.told(in: script))",
            "  \(operation.told(in: script))",
            "  Answers files, stubs and stored logs know them by their names: give each its own.",
          ], at: operation.places(in: script).last))
    }
    return problems
  }

  private static let named: Set<String> = ["ask", "step", "look", "child"]
}

extension ScriptTrace.Operation {
  /// Whether this is visibly not the same operation of the script as a later one with the same name.
  fileprivate func isOther(_ later: Self, in script: Script) -> Bool {
    // A question is found by its answers, and everything else by its stubs.
    if kind != later.kind { return kind != "ask" && later.kind != "ask" }
    switch kind {
    case "ask" where content["title"] != later.content["title"]:
      return place.isEmpty ? places(in: script).count > 1 : place != later.place
    case "child": return content["flow"] != later.content["flow"]
    default: return false
    }
  }

  fileprivate func told(in script: Script) -> String {
    let title = content["title"]?.string ?? content["flow"]?.string
    let line = place.isEmpty ? "" : " at \(place)"
    return "\(kind) \"\(key)\"\(title.map { " \"\($0)\"" } ?? "")\(line)"
  }
}

extension ScriptLog {
  /// The steps that could not have their secrets, because these were asked for never, or before an earlier step.
  func spentSecrets(in script: Script) -> [ExploredProblem] {
    entries.enumerated().compactMap { index, entry in
      guard let step = entry.step, case .failed(let error) = step.ending, error.type.bytes.equals("SecretSpent"),
        // Otherwise it was lost by a crash, or because a step has failed whose result it would have been.
        step.attempts == 0, !entries[..<index].contains(where: { $0.hasFailed(to: step.secrets) })
      else { return nil }
      return ExploredProblem(
        .spentSecret, id: "\(script.name) \(entry.name)",
        lines: ["\(script.name): step \(entry.name): \(error.message)"],
        at: ExploredProblem.Place(entry.place) ?? script.places(of: entry.name).first)
    }
  }
}

extension LogEntry {
  /// Whether it is a step that should have made one of these secrets.
  fileprivate func hasFailed(to make: [String]) -> Bool {
    guard let step, step.isResultSecret, case .failed = step.ending else { return false }
    return make.contains { $0.bytes.equals(name) }
  }
}
