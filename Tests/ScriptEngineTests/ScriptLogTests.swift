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

  @Test("A limit, a sleep and the time stay what they were when the clock is set back")
  func clockIsSetBack() throws {
    let menu: [String: JSONValue] = [
      "kind": "menu", "title": "How large?", "actions": [["id": "small", "title": "Small", "role": "normal"]],
    ]
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
    // What begins now goes by the clock as it is now.
    #expect(log.timerIsOver("timeout:size") == .goOn(entry: 2))
    _ = log.take(ScriptOperation("pause", .timer(.seconds(60))), at: 3, from: early)
    #expect(log.entries[3].timer?.due == 1_699_996_460_000_000)
  }

  @Test("How often a script has failed is in its log, until it has got further or somebody has it tried again")
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
    // An order to drop the last answer is an order to try again.
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
    let menu: [String: JSONValue] = [
      "kind": "menu", "title": "How large?", "actions": [["id": "small", "title": "Small", "role": "normal"]],
    ]
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
}

extension JSONValue {
  fileprivate init(text: String) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }
}
