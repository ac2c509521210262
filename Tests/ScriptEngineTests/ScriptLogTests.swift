import CoordinatorKit
import Foundation
import Forms
import ScriptEngine
import Testing

/// Logs as text.
@Suite("The log of a script", .timeLimit(.minutes(1)))
struct ScriptLogTests {
  private static let source = ScriptSource(now: 1_700_000_000_000_000, random: { 0.5 }, uuid: { "uuid" })

  private func read(_ log: ScriptLog) throws -> ScriptLog {
    try ScriptLog(json: JSONValue(text: log.text))
  }

  @Test("The language is set once, again with another name, and not beside something else")
  func languageIsSetOnce() throws {
    var log = ScriptLog()
    let german = ScriptOperation("language-de", .value(.language(try LanguageTag("de"))))
    #expect(log.take(german, at: 0, from: Self.source) == .speaks(try LanguageTag("de")))
    log = try read(log)
    #expect(log.take(german, at: 0, from: Self.source) == .recorded)
    #expect(log.entries.first?.reply == ["result": "de"])
    let french = ScriptOperation("language-fr", .value(.language(try LanguageTag("fr"))))
    #expect(log.take(french, at: 0, from: Self.source) == .speaks(try LanguageTag("fr")))
    #expect(log.entries.map(\.key) == ["language-fr"])
    #expect(log.take(ScriptOperation("wait", .timer(.seconds(1)), isFollowed: true), at: 1, from: Self.source) == .waiting)
    guard case .mistake = log.take(german, at: 2, from: Self.source) else {
      Issue.record("the language is set beside a timer")
      return
    }
  }

  @Test("An operation that sets no language has a mistake")
  func wrongLanguage() throws {
    for name in ["language-", "language-x", "tongue"] {
      let message = try JSONValue(text: #"{"entry": 0, "value": "\#(name)"}"#)
      #expect(throws: ScriptCrash.self, "\(name)") { try ScriptMessage(json: message) }
    }
  }

  @Test("A step without a result is still done after a restart")
  func nullIsAResult() throws {
    var log = ScriptLog()
    #expect(log.take(ScriptOperation("join", .step(StepRequest())), at: 0, from: Self.source) == .waiting)
    let work = try #require(log.startWork().first)
    #expect(log.workHasEnded(work.id, .done(.null)) == .goOn(entry: 0))
    let again = try read(log)
    #expect(again == log)
    #expect(again.entries.first?.step?.ending == .done(.null))
  }

  @Test("A script that restarts again and again waits longer and longer, and is held, unless it makes progress")
  func circlingIsHeld() throws {
    var log = ScriptLog()
    var pauses: [Duration] = []
    for _ in 0..<100 where !log.isCircling {
      _ = log.take(ScriptOperation("found", .step(StepRequest(isLook: true))), at: 0, from: Self.source)
      #expect(log.take(.again([:]), now: Self.source.now) == .again)
      if let pause = log.pauseBeforeRound { pauses.append(pause) }
      log = try read(log)
    }
    #expect(log.isCircling)
    #expect(pauses.first == .milliseconds(100) && pauses.last == .seconds(10))
    #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
    log.forgiveDeaths()
    #expect(!log.isCircling && log.pauseBeforeRound == nil)
    for _ in 0..<100 {
      _ = log.take(ScriptOperation("pause", .timer(.seconds(1))), at: 0, from: Self.source)
      _ = log.timerIsOver("pause")
      #expect(log.take(.again([:]), now: Self.source.now) == .again)
    }
    #expect(!log.isCircling && log.pauseBeforeRound == nil)
  }

  @Test("A script may begin anew as often as it wants after a look that has waited, but not after a quick one")
  func waitingInALookIsNotCircling() throws {
    var log = ScriptLog()
    var now = Self.source.now
    func round(taking time: UInt64) throws {
      // The pause before the round may count as part of it.
      let pause = log.pauseBeforeRound.map { UInt64($0 / .microseconds(1)) } ?? 0
      let source = ScriptSource(now: now, random: { 0.5 }, uuid: { "uuid" })
      _ = log.take(ScriptOperation("card", .step(StepRequest(isLook: true))), at: 0, from: source)
      log = try read(log)
      let work = try #require(log.startWork().first)
      #expect(log.workHasEnded(work.id, .done("card")) == .goOn(entry: 0))
      now += pause + time
      #expect(log.take(.again([:]), now: now) == .again)
      log = try read(log)
    }
    for _ in 0..<100 { try round(taking: 3_000_000) }
    #expect(!log.isCircling && log.pauseBeforeRound == nil)
    for _ in 0..<100 where !log.isCircling { try round(taking: 1_000_000) }
    #expect(log.isCircling)
  }

  @Test("A limit, a sleep and the time stay what they were when the clock is set back")
  func clockIsSetBack() throws {
    let menu = Screen.menu("", title: "How large?", choices: [Action("small", "Small")])
    let ask = ScriptOperation("size", .ask(Question(screen: menu, digest: "d", timeout: 60)))
    let early = ScriptSource(now: Self.source.now - 3_600_000_000, random: { 0.25 }, uuid: { "other" })
    var log = ScriptLog()
    _ = log.take(ScriptOperation("now", .value(.now)), at: 0, from: Self.source)
    _ = log.take(ScriptOperation("pause", .timer(.seconds(60))), at: 1, from: Self.source)
    _ = log.take(ScriptOperation("now", .value(.now)), at: 0, from: early)
    #expect(log.take(ScriptOperation("pause", .timer(.seconds(60))), at: 1, from: early) == .waiting)
    #expect(log.entries[0].body == .value(1_700_000_000))
    #expect(log.entries[1].timer?.due == 1_700_000_060_000_000)
    #expect(log.timerIsOver("pause") == .goOn(entry: 1))
    _ = log.take(ask, at: 2, from: Self.source)
    var again = try read(log)
    #expect(again.take(ask, at: 2, from: early) == .waiting)
    #expect(again.entries[2].ask?.due == 1_700_000_060_000_000)
    // New timers use the current clock.
    #expect(log.timerIsOver("timeout:size") == .goOn(entry: 2))
    _ = log.take(ScriptOperation("pause", .timer(.seconds(60))), at: 3, from: early)
    #expect(log.entries[3].timer?.due == 1_699_996_460_000_000)
  }

  @Test("A sleep of seconds and a limit are durations for the daemon, and a sleep until a time is a time")
  func durations() throws {
    let menu = Screen.menu("", title: "How large?", choices: [])
    let ask = ScriptOperation("size", .ask(Question(screen: menu, digest: "d", timeout: 90)))
    func timers(_ operation: ScriptOperation) throws -> [FlowDecision.Operation] {
      var log = ScriptLog()
      _ = log.take(operation, at: 0, from: Self.source)
      let again = try read(log)
      #expect(again == log)
      let decision = again.decision(from: nil, starting: [], shown: [], screens: RunScreens(), title: "")
      return decision.operations.filter { if case .startTimer = $0 { true } else { false } }
    }
    func due(_ seconds: UInt64) -> Timestamp { Timestamp(microseconds: Self.source.now + seconds * 1_000_000) }
    let pause = ScriptOperation("pause", .timer(.seconds(60)))
    #expect(try timers(pause) == [.startTimer(key: "pause", at: due(60), after: 60_000_000)])
    #expect(try timers(ask) == [.startTimer(key: "timeout:size", at: due(90), after: 90_000_000)])
    let until = ScriptOperation("pause", .timer(.time(Double(Self.source.now / 1_000_000) + 60)))
    #expect(try timers(until) == [.startTimer(key: "pause", at: due(60))])
  }

  @Test("The time limit of a question continues while a step is undone, and ends with its question", arguments: [true, false])
  func limitWhileUndoing(isUndone: Bool) throws {
    func menu(_ name: String, timeout: Double? = nil) -> ScriptOperation {
      let screen = Screen.menu("", title: Text(verbatim: name), choices: [])
      return ScriptOperation(name, .ask(Question(screen: screen, digest: name, timeout: timeout)))
    }
    var log = ScriptLog()
    _ = log.take(menu("size"), at: 0, from: Self.source)
    _ = log.answer("small", [:], secrets: [], on: "size")
    _ = log.take(ScriptOperation("brew", .step(StepRequest(undo: .words(["true"])))), at: 1, from: Self.source)
    let brewing = try #require(begun(&log))
    #expect(log.workHasEnded(brewing, .done("cup")) == .goOn(entry: 1))
    _ = log.take(menu("color", timeout: 90), at: 2, from: Self.source)
    func timers(from old: ScriptLog, _ log: ScriptLog) -> [FlowDecision.Operation] {
      let decision = log.decision(from: old, starting: [], shown: ["size", "color"], screens: RunScreens(), title: "")
      return decision.operations.filter { operation in
        switch operation {
        case .startTimer, .cancelTimer: true
        default: false
        }
      }
    }
    let asked = log
    #expect(log.goBack() == .rerun(.back))
    #expect(timers(from: asked, log).isEmpty)
    let undoing = log
    let work = try #require(begun(&log))
    _ = log.workHasEnded(work, isUndone ? .done(.null) : .failed(StepError(type: "OSError", message: "no")))
    #expect(log.undoing == nil)
    #expect(timers(from: undoing, log) == (isUndone ? [.cancelTimer(key: "timeout:color")] : []))
  }

  /// Begins the next step or undo, and returns its work.
  private func begun(_ log: inout ScriptLog) -> String? {
    guard let work = log.startWork().first else { return nil }
    if work.kind == .step { _ = log.begin(work.entry) }
    return work.id
  }

  @Test("A log of an older version has times only, and is read")
  func olderLog() throws {
    let log = try ScriptLog(
      json: JSONValue(text: #"{"format": "script/1", "entries": [{"kind": "timer", "key": "pause", "due": 60000000}]}"#))
    #expect(log.entries.first?.timer?.due == 60_000_000)
    #expect(log.entries.first?.timer?.duration == nil)
  }

  @Test("The log counts the failures of a script until it has got further or an administrator retries it")
  func stumblesAreCounted() throws {
    var log = ScriptLog()
    for count in 1...3 {
      #expect(log.lastStumble == nil)
      log.hasStumbled("no disk", isMisfit: false)
      log = try read(log)
      #expect(log.stumbles == Stumbles(count: UInt64(count), reason: "no disk"))
    }
    #expect(log.lastStumble?.reason == "no disk")
    log.forgiveDeaths()
    #expect(log.stumbles == nil)
    // An order to drop the last answer is also an order to retry.
    let answered: JSONValue = ["kind": "ask", "key": "size", "answer": ["event": "small"]]
    log.entries = [try LogEntry(json: answered)]
    log.hasStumbled("no disk", isMisfit: true)
    #expect(log.dropLast() && log.stumbles == nil)
    log.hasStumbled("it does not fit", isMisfit: true)
    #expect(try read(log).lastStumble == Stumbles(count: 1, isMisfit: true, reason: "it does not fit"))
  }

  @Test("A log is the same after it was written and read")
  func logIsReadAsItWasWritten() throws {
    var log = ScriptLog(input: ["size": "large"], version: 3, digest: "digest")
    let menu = Screen.menu("", title: "How large?", choices: [Action("small", "Small")])
    for (index, kind) in [
      ScriptOperation.Kind.value(.uuid), .patched, .ask(Question(screen: menu, digest: "d", timeout: 60)),
    ].enumerated() {
      _ = log.take(ScriptOperation("op", kind, at: "visit.py:3", output: .json), at: index, from: Self.source)
    }
    #expect(try read(log) == log)
    #expect(log.answer("small", [:], secrets: ["word"], on: "op#3") == .goOn(entry: 2))
    _ = log.take(ScriptOperation("wait", .timer(.seconds(5))), at: 3, from: Self.source)
    log.entries[3].isFollowed = true
    _ = log.take(ScriptOperation("child", .child(flow: "pets", input: ["a": 1])), at: 4, from: Self.source)
    let undo = StepRequest(busy: "Working", undo: .command("rm -f x"), isOnce: true)
    _ = log.take(ScriptOperation("copy", .step(undo)), at: 5, from: Self.source)
    _ = log.startWork()
    #expect(try read(log) == log)
  }

  @Test("The reason of a failure is bounded, however few characters its scalars form")
  func reasonIsBounded() throws {
    var log = ScriptLog()
    log.hasStumbled("a" + String(repeating: "\u{301}", count: 60_000), isMisfit: true)
    let reason = try #require(log.lastStumble?.reason)
    #expect(reason.unicodeScalars.count == 2_000)
    #expect(try read(log).lastStumble?.reason == reason)
  }
}

extension JSONValue {
  fileprivate init(text: String) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }
}
