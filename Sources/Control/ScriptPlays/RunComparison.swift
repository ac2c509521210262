import CoordinatorKit
import CoordinatorScripts
import Forms
import ScriptEngine

/// Compares runs of scripts with the same log: their operations and screens must be the same.
actor RunComparison {
  /// A log that a walk has produced, and the operations of a run with it.
  struct Walked: Sendable {
    let script: Script
    let instance: FlowInstance
    let log: ScriptLog
    let trace: ScriptTrace
    let words: [String]
    let time: ContinuousClock.Instant
  }

  /// The time between two runs that are compared, so that they read different seconds from the clock.
  private static let second = Duration.milliseconds(1_050)
  /// The number of logs that are kept to compare texts.
  private static let mostKept = 500

  private let scripts: LocalScripts
  /// What was noted, in order.
  private(set) var walked: [Walked] = []
  /// The number of logs that were compared.
  private var compared = 0
  private var known: Set<String> = []

  init(_ scripts: LocalScripts) { self.scripts = scripts }

  /// Executes a script with a log, for a later comparison.
  ///
  /// - Parameters:
  ///   - script: the script.
  ///   - instance: the coordinator.
  ///   - log: the recorded log.
  ///   - outcome: how the run that has produced the log has ended; nil if it has not.
  ///   - words: the answers that lead there.
  /// - Returns: the mistakes that the run shows by itself, and the difference from that end.
  func note(
    _ script: Script, _ instance: FlowInstance, _ log: ScriptLog, endedAs outcome: Outcome? = nil, after words: [String]
  ) async -> [ExploredProblem] {
    guard known.insert("\(script.name) \(log.text)").inserted else { return [] }
    let (trace, whole) = await scripts.traceAndLog(script, as: instance, with: log)
    walked.append(Walked(script: script, instance: instance, log: log, trace: trace, words: words, time: .now))
    let problems = (trace.sharedNames(in: script) + whole.spentSecrets(in: script)).map { $0.after(words) }
    // The values that a repeated run asks for beyond the log are others, and it has the language of the start.
    let isComparable = !whole.entries.enumerated().contains { index, entry in
      entry.body.word == "value" && (index >= log.entries.count || entry.name.bytes.hasPrefix("language-"))
    }
    guard isComparable, let difference = outcome.flatMap({ trace.difference(fromEnd: $0) }) else { return problems }
    return problems + [ExploredProblem(difference, of: script, after: words)]
  }

  /// Executes each script with its log again, in another second and elsewhere.
  ///
  /// - Parameter isLast: whether to wait until this is possible for all logs.
  /// - Returns: the differences.
  func compareAgain(isLast: Bool = false) async -> [ExploredProblem] {
    var problems: [ExploredProblem] = []
    while compared < walked.count {
      let way = walked[compared]
      if way.time + Self.second > .now {
        guard isLast else { break }
        try? await Task.sleep(until: way.time + Self.second)
      }
      compared += 1
      let trace = await scripts.traceElsewhere(way.script, as: way.instance, with: way.log)
      guard let difference = way.trace.difference(from: trace) else { continue }
      problems.append(ExploredProblem(difference, of: way.script, after: way.words))
    }
    if compared > Self.mostKept {
      walked.removeFirst(compared - Self.mostKept)
      compared = Self.mostKept
    }
    return problems
  }

  /// Checks that the run which received an event has found its log as it was recorded, and stores the logs of ended
  /// coordinators.
  ///
  /// - Returns: the problems.
  func check(_ decided: DecidedEvent, after words: [String]) async -> [ExploredProblem] {
    guard let log = decided.toldLog else { return [] }
    if let outcome = decided.outcome {
      return await note(decided.script, decided.instance, log, endedAs: outcome, after: words)
    }
    guard let new = decided.logAfter else { return [] }
    let spent = new.spentSecrets(in: decided.script).map { $0.after(words) }
    for (index, entry) in log.entries.enumerated() {
      let other = index < new.entries.count ? new.entries[index] : nil
      if let other, other.isSame(as: entry) { continue }
      if new.isAgain, await beginsAnew(decided, log) {
        return await note(decided.script, decided.instance, log, after: words)
      }
      if let problem = await difference(in: decided, after: words) { return [problem] }
      return [
        ExploredProblem(
          .difference, id: "\(decided.script.name) \(entry.name)",
          lines: [
            "\(decided.script.name): a run does not find its log as another run has recorded it, at operation \(index + 1):",
            "  \(entry.body.word) \"\(entry.key)\"", "  \(other.map { "\($0.body.word) \"\($0.key)\"" } ?? "nothing")",
          ] + ExploredProblem.advice, at: decided.script.places(of: entry.name).first, path: words)
      ]
    }
    return spent
  }

  /// Returns whether a script starts over with a log, so that a different log follows.
  private func beginsAnew(_ decided: DecidedEvent, _ log: ScriptLog) async -> Bool {
    await scripts.trace(decided.script, as: decided.instance, with: log).operations.last?.kind == "again"
  }

  /// Executes a script a few times with the log that an event has produced.
  ///
  /// - Returns: the difference of two runs; nil if there is none.
  func difference(in decided: DecidedEvent, after words: [String]) async -> ExploredProblem? {
    guard let log = decided.toldLog else { return nil }
    let first = await scripts.trace(decided.script, as: decided.instance, with: log)
    for _ in 0..<5 {
      let second = await scripts.trace(decided.script, as: decided.instance, with: log)
      guard let difference = first.difference(from: second) else { continue }
      return ExploredProblem(difference, of: decided.script, after: words)
    }
    return nil
  }
}

extension ScriptTrace {
  /// The difference from how another run with the same log has ended; nil if there is none.
  fileprivate func difference(fromEnd outcome: Outcome) -> (index: Int, one: Operation?, other: Operation?)? {
    guard let last = operations.last else { return nil }
    let end: ScriptEnd
    switch outcome {
    case .finished(let result): end = .finish(result)
    case .cancelled: end = .cancel
    case .failed(let failure): end = .fail(code: failure.code, message: failure.message)
    }
    let isSame =
      switch outcome {
      case .finished(let result): last.kind == end.word && (last.content["finish"]?.object ?? [:]) == result
      case .cancelled: last.kind == end.word
      // A mistake fails, too, and so does the engine if the log is too long.
      case .failed(let failure):
        last.kind == "crash" || failure.code == "too-long" || last.content["fail"]?["code"]?.string == failure.code
      }
    guard !isSame else { return nil }
    var other = last
    (other.kind, other.key, other.place, other.content) = (end.word, "", "", end.json)
    return (operations.count - 1, other, last)
  }
}

extension LogEntry {
  /// Whether a run has recorded the same operation, with the same screen.
  fileprivate func isSame(as other: LogEntry) -> Bool {
    key == other.key && body.word == other.body.word && ask?.digest == other.ask?.digest
  }
}

extension JSONValue {
  /// The first difference between two values; nil if they are the same.
  ///
  /// - Parameter other: the other value.
  /// - Returns: where they differ and the values there, for people.
  func difference(from other: JSONValue) -> (one: String, other: String)? { difference(from: other, at: "") }

  private func difference(from other: JSONValue, at path: String) -> (one: String, other: String)? {
    if self == other { return nil }
    func inside(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
    if let one = object, let two = other.object {
      for name in Set(one.keys).union(two.keys).sorted(by: Self.precedes) where one[name] != two[name] {
        return (one[name] ?? .null).difference(from: two[name] ?? .null, at: inside(name))
      }
    }
    if let one = array, let two = other.array, one.count == two.count {
      for (index, (one, two)) in zip(one, two).enumerated() where one != two {
        return one.difference(from: two, at: inside("\(index + 1)"))
      }
    }
    let name = path.isEmpty ? "" : "\(path): "
    return ("\(name)\(shortText)", "\(name)\(other.shortText)")
  }

  /// Visible differences come first.
  private static func precedes(_ one: String, _ other: String) -> Bool {
    let order = ["title", "body", "items", "actions"]
    let (first, second) = (order.firstIndex(of: one) ?? order.count, order.firstIndex(of: other) ?? order.count)
    return first != second ? first < second : one < other
  }

  private var shortText: String {
    let text = self == .null ? "nothing" : canonicalText
    return text.unicodeScalars.count > 200 ? "\(String(text.unicodeScalars.prefix(200)))…" : text
  }
}
