import Foundation
import Forms
import ScriptEngine
import Testing

/// Plays a case of the conformance vectors: see `Tests/ScriptVectors/README.md`.
struct VectorPlayer {
  private var log: ScriptLog
  private var screens = RunScreens()

  init(_ log: JSONValue?) throws {
    let json = log ?? ["input": [:]]
    self.log = try ScriptLog(json: Self.repeated(json))
  }

  /// Repeats entries that have `times`.
  private static func repeated(_ log: JSONValue) -> JSONValue {
    var object = log.object ?? [:]
    object["entries"] = .array(
      (object["entries"]?.array ?? []).flatMap { entry -> [JSONValue] in
        guard let times = entry["times"]?.integer, var members = entry.object, let name = entry["key"]?.string else {
          return [entry]
        }
        members["times"] = nil
        return (1...times).map { number in
          .object(members.merging(["key": .string(number == 1 ? name : "\(name)#\(number)")]) { $1 })
        }
      })
    return .object(object)
  }

  /// Applies an event.
  ///
  /// - Returns: the results, by their names in the vectors.
  mutating func take(_ step: JSONValue) -> [String: JSONValue] {
    let old = log
    var effects = effects(of: step)
    if let index = entry(of: step) {
      effects["waits"] = .boolean(step["operation"]?["more"]?.boolean != true && log.waits(at: index))
    }
    if effects["end"] == nil, log.text.utf8.count > ScriptLog.maxSize {
      effects["end"] = ["fail": ["code": "too-long"]]
    }
    if effects["refused"] != nil || effects["hold"] != nil || effects["crash"] != nil { log = old }
    if let undoing = log.undoing, let index = log.newestUndo(from: undoing) { effects["undo"] = .string(log.entries[index].key) }
    effects["entries"] = .array(log.entries.map(\.json))
    effects["suggestions"] = .object(log.suggestions.mapValues(\.json))
    effects["back"] = .boolean(log.allowsBack)
    if let key = log.shownQuestion, let shown = log.shown(key, screens)?.content {
      effects["messages"] = .array(shown.messages.map { .string($0.code) })
      effects["suggested"] = shown.suggested.map { .array($0.map { .string($0) }) } ?? log.suggestedValues(key, screens)
    }
    return effects
  }

  private mutating func effects(of step: JSONValue) -> [String: JSONValue] {
    if let operation = step["operation"] { return operate(operation) }
    if let event = step["event"]?.string {
      let payload = step["payload"]?.object ?? [:]
      let secrets = (step["secrets"]?.array ?? []).compactMap(\.string)
      guard let key = log.shownQuestion, log.accepts(event, payload, secrets, screens) else { return ["refused": true] }
      let verdict = log.answer(event, payload, secrets: secrets, on: key)
      return effects(of: verdict)
    }
    if step["back"]?.boolean == true {
      let verdict = log.goBack()
      return effects(of: verdict)
    }
    if let key = step["timeout"]?.string {
      let verdict = log.timerIsOver("timeout:\(key)")
      return effects(of: verdict)
    }
    if let key = step["timer"]?.string {
      let verdict = log.timerIsOver(key)
      return effects(of: verdict)
    }
    if let key = step["began"]?.string { return begin(key, step["attempt"]?.integer) }
    if let key = step["done"]?.string { return end(key, .done(step["value"] ?? .null)) }
    if let key = step["failed"]?.string { return end(key, .failed(StepError(json: step["error"] ?? [:]))) }
    if let key = step["interrupted"]?.string {
      guard let id = work(key) else { return [:] }
      let verdict = log.workWasInterrupted(id)
      return effects(of: verdict)
    }
    if let names = step["secrets-gone"]?.array {
      let verdict = log.secretsAreGone(names.compactMap(\.string))
      return effects(of: verdict)
    }
    if let key = step["child-ended"]?.string {
      guard let child = log.entries.last(where: { $0.key == key })?.child else { return [:] }
      let verdict = log.childHasEnded(ChildEnding(json: step), flow: child.flow, input: child.input)
      return effects(of: verdict)
    }
    Issue.record("no happening: \(step)")
    return [:]
  }

  /// Returns the index of the entry that a step refers to; nil if there is none.
  private func entry(of step: JSONValue) -> Int? {
    if let index = step["operation"]?["entry"]?.integer { return Int(index) < log.entries.count ? Int(index) : nil }
    let key = ["done", "failed", "timer", "child-ended"].lazy.compactMap { step[$0]?.string }.first
    return key.flatMap { key in log.entries.firstIndex { $0.key == key } }
  }

  /// Returns the work of an entry, by the engine's name.
  private mutating func work(_ key: String) -> String? {
    _ = log.startWork()
    return log.entries.last { $0.key == key }?.step?.work
  }

  private mutating func begin(_ key: String, _ attempt: Int64?) -> [String: JSONValue] {
    guard work(key) != nil, let index = log.entries.lastIndex(where: { $0.key == key }) else { return [:] }
    return log.begin(index, attempt: attempt.map { UInt64($0) }).map { step in
      [
        "go": [
          "key": .string(key), "attempt": .integer(Int64(step.attempts)), "secrets": .array(step.secrets.map { .string($0) }),
        ]
      ]
    } ?? effects(of: EventVerdict.goOn(entry: index))
  }

  private mutating func end(_ key: String, _ ending: StepEnding) -> [String: JSONValue] {
    guard let id = work(key) else { return [:] }
    let verdict = log.workHasEnded(id, ending)
    return effects(of: verdict)
  }

  private mutating func operate(_ operation: JSONValue) -> [String: JSONValue] {
    do throws(ScriptCrash) {
      switch try ScriptMessage(json: operation) {
      case .operation(let operation, let entry):
        let source = ScriptSource(now: 1_700_000_000_000_000, random: { 0.5 }, uuid: { "00000000-0000-4000-8000-000000000000" })
        let reply = log.take(operation, at: entry, from: source)
        if case .ask(let question) = operation.kind, log.entries.indices.contains(entry) {
          screens.questions[log.entries[entry].key] = question
        }
        return effects(of: reply, entry)
      case .end(let end, let entry):
        switch log.take(end, at: entry, now: 1_700_000_000_000_000) {
        case .ended: return ["end": end.json]
        case .again: return ["rerun": "again"]
        case .held(let misfit): return held(misfit)
        }
      case .crash: return ["crash": true]
      default: return [:]
      }
    } catch {
      return ["crash": true]
    }
  }

  private func effects(of reply: OperationReply, _ entry: Int) -> [String: JSONValue] {
    switch reply {
    case .recorded: ["reply": .object(log.entries[entry].reply)]
    case .speaks(let tag): ["reply": .object(log.entries[entry].reply), "language": .string(tag.description)]
    case .patched(let isPatched): ["reply": ["result": .boolean(isPatched)]]
    case .waiting: [:]
    case .held(let misfit): held(misfit)
    case .mistake: ["crash": true]
    case .tooLong: ["end": ["fail": ["code": "too-long"]]]
    }
  }

  private func held(_ misfit: Misfit) -> [String: JSONValue] {
    ["hold": true, "hold-text": .string(misfit.text(script: "script", tree: "tree"))]
  }

  private func effects(of verdict: EventVerdict) -> [String: JSONValue] {
    switch verdict {
    case .goOn(let entry):
      ["reply": log.entries[entry].step == nil ? .object(log.entries[entry].reply) : ["recorded": true]]
    case .goOnRunning, .tryAgain, .noted, .nothing: [:]
    case .stop(let entries): ["terminate": .array(entries.map { .integer(Int64($0)) })]
    case .rerun(let reason): ["rerun": .string(reason.rawValue)]
    case .end(let end): ["end": end.json]
    case .refused: ["refused": true]
    }
  }
}
