import CoordinatorKit
import Forms
import Platform
import ScriptEngine
import TestBus
import Testing

/// The output of a script's process for answers and results.
@Suite("What scripts print for eval", .timeLimit(.minutes(1)))
struct PrintedAnswerTests {
  private static let source = ScriptSource(now: 1_700_000_000_000_000, uuid: { "uuid" })

  private func form(_ fields: String...) -> ScriptOperation.Kind {
    let form = Form(fields.map { Field($0, .string(title: "A field")).optional })
    return .ask(
      Question(screen: .form("", title: "T", form: form, actions: [.primary("submit", "Continue")]), digest: "d"))
  }

  private func child(_ keys: [String]? = nil) -> ScriptOperation.Kind { .child(flow: "account", input: [:], keys: keys) }

  /// Returns the log of a script with a child that has finished.
  private func log(
    _ result: [String: JSONValue], _ output: OutputStyle, _ keys: [String]? = nil,
    features: Set<ScriptFeature> = ScriptFeature.ofRuns
  ) throws -> ScriptLog {
    var log = ScriptLog(features: features)
    _ = log.take(ScriptOperation("person", child(keys), at: "a.sh:3", output: output), at: 0, from: Self.source)
    _ = log.childHasEnded(.finished(result), flow: "account", input: [:])
    return try ScriptLog(json: log.json)
  }

  private func entry(_ result: [String: JSONValue], _ output: OutputStyle, _ keys: [String]? = nil) throws -> LogEntry {
    try log(result, output, keys).entries[0]
  }

  @Test("A mark behind an apostrophe does not end the value", arguments: HostileText.extenders)
  func answersStayText(mark: String) {
    var log = ScriptLog()
    _ = log.take(ScriptOperation("account", form("login", "news"), output: .assignments), at: 0, from: Self.source)
    let attack = "x'\(mark); id >pwned; echo '\(mark)"
    _ = log.answer("submit", ["login": .string(attack), "news": "y"], secrets: [], on: "account")
    let printed = log.entries[0].output?.text ?? ""
    #expect(printed.bytes.equals("login='x'\\''\(mark); id >pwned; echo '\\''\(mark)'\nnews='y'\n"))
  }

  @Test("A result is printed only as the script has asked for it")
  func resultsArePrintedOnDemand() throws {
    let result: [String: JSONValue] = ["log-in": "it's", "age": 36, "tags": ["a", "b"], "pin": ["secret": true]]
    #expect(try entry(result, .status).output == ProcessOutput())
    #expect(try entry(result, .value, ["log-in"]).output?.text == "it's\n")
    #expect(try entry(result, .value, ["none"]).output?.text == "" && entry(result, .value, ["pin"]).output?.text == "")
    #expect(try entry(result, .assignments).output?.text == "age='36'\nlog_in='it'\\''s'\ntags='a\nb'\n")
    #expect(try entry(result, .assignments, ["log-in", "none"]).output?.text == "log_in='it'\\''s'\nnone=''\n")
    #expect(try entry(result, .json).output?.text.bytes.hasSuffix("}\n") == true)
  }

  @Test(
    "A result whose keys the script has not named sets no variable of the shell, and none twice",
    arguments: [
      ["PATH"], ["name", "LD_PRELOAD"], ["http_proxy"], ["a-b", "a_b"], ["'\u{FE0F};id", "____id", "_____id"], ["1"],
    ])
  func resultsSetNoOtherVariables(keys: [String]) throws {
    let result = Dictionary(uniqueKeysWithValues: keys.map { ($0, "x" as JSONValue) })
    let crash = try #require(try log(result, .assignments).unprintable(at: 0))
    #expect(crash.message.bytes.contains("the result of account has") && crash.place == "a.sh:3")
    #expect(try log(result, .json).unprintable(at: 0) == nil)
    #expect(try log(result, .assignments, ["name"]).unprintable(at: 0) == nil)
    #expect(try log(["name": "x", "PIN": ["secret": true]], .assignments).unprintable(at: 0) == nil)
    // Runs that were begun earlier keep their output format.
    #expect(try log(result, .assignments, features: []).unprintable(at: 0) == nil)
  }

  @Test("A run keeps what it was begun with, and a step its words")
  func featuresAreKept() throws {
    #expect(ScriptLog().features == [.assignments])
    #expect(try ScriptLog(json: ScriptLog().json).features == [.assignments])
    // Logs of an earlier and of a later version.
    #expect(try ScriptLog(json: ["format": "script/1", "input": [:], "entries": []]).features.isEmpty)
    #expect(try ScriptLog(json: ["input": [:], "features": ["assignments", "undo-words", "wings"]]).features == [.assignments])
    let undo: JSONValue = ["rm", "-f", "'\u{FE0F}; id"]
    for (json, read) in [(undo, Undo.words(["rm", "-f", "'\u{FE0F}; id"])), ("rm x", .command("rm x")), (true, .byScript)] {
      let entry = try LogEntry(json: ["kind": "step", "key": "copy", "undo": json])
      #expect(entry.step?.undo == read && entry.json["undo"] == json)
    }
    for json: JSONValue in [[], ["rm", 1], false, ["a": 1]] {
      #expect(try LogEntry(json: ["kind": "step", "key": "copy", "undo": json]).step?.undo == nil)
    }
    var log = ScriptLog(features: [])
    _ = log.take(.again(["a": 1]), now: 0)
    #expect(log.features == [.assignments] && log.input == ["a": 1], "a run that begins anew is a new run")
  }
}
