import Foundation
import Testing

@Suite("Plays that a test steers line by line", .timeLimit(.minutes(5)))
struct SteeredPlayTests {
  private static let coffee = """
    size=$(ask menu size "How large?" small=Small large=Large)
    number=$(ask step order -- sh -c 'echo "$COORDINATOR_ATTEMPT" >>"$1"; echo 7' sh "$notes") || ask fail no-coffee "No coffee."
    ask message ready "Here it is" --timeout 60 --default okay
    ask finish size="$size" number="$number"
    """

  @Test("The shown screens and the stored log are reported after each event, and time passes when the test says so")
  func eventsAreTold() async throws {
    let bench = try ScriptBench()
    try bench.write("coffee", Self.coffee)
    let replies = try await bench.steer(
      "coffee", #"{"start": "coffee"}"#, #"{"event": "huge"}"#, #"{"event": "large"}"#, #"{"back": true}"#, #"{"advance": 59.5}"#,
      #"{"advance": 0.5}"#, #"{"event": "okay"}"#)
    #expect(replies[0].question?["name"] as? String == "size")
    #expect(replies[0].question?["back"] as? Bool == true)
    #expect(replies[1]["refused"] as? String == "the question size does not accept huge {}")
    #expect(replies[2].question?["back"] as? Bool == false)
    #expect(replies[2].entries.map { $0["key"] as? String } == ["size", "order", "ready"])
    #expect(replies[2]["due"] as? Double == replies[2]["now"].flatMap { $0 as? Double }.map { $0 + 60 })
    #expect(replies[3]["refused"] as? String == "there is no way back")
    #expect(replies[4].question?["name"] as? String == "ready")
    #expect(replies[5]["end"] as? [String: [String: String]] == ["finish": ["size": "large", "number": "7"]])
    #expect((replies[5]["ended"] as? [[String: Any]])?.count == 1)
    #expect(replies[6]["refused"] as? String == "the flow has ended")
    #expect(bench.noted == ["1"])
  }

  @Test(
    "A crash comes before a step, in its middle, or before its result is stored",
    arguments: [("before-step", ["1"]), ("during-step", ["2"]), ("after-step", ["1", "2"])])
  func crashComes(point: String, attempts: [String]) async throws {
    let bench = try ScriptBench()
    try bench.write("coffee", Self.coffee)
    let replies = try await bench.steer(
      "coffee", #"{"start": "coffee"}"#, #"{"event": "large", "crash": "\#(point)"}"#, #"{"restart": true}"#)
    for reply in replies[1...] { #expect(reply.question?["name"] as? String == "ready", "\(reply)") }
    #expect(bench.noted == attempts)
  }

  @Test("A secret is lost in a crash, and its form is shown again")
  func secretIsLost() async throws {
    let bench = try ScriptBench()
    try bench.write(
      "unlock",
      """
      ask form pin "PIN?" --secret pin
      ask step use --stdin pin -- sh -c 'cat >>"$1"' sh "$notes"
      """)
    let pin = #"{"event": "submit", "secrets": {"pin": "1234"}"#
    let replies = try await bench.steer(
      "unlock", #"{"start": "unlock"}"#, pin + #", "crash": "before-step"}"#, pin + #", "crash": "during-step"}"#, pin + "}")
    for reply in replies[1...2] {
      let screen = reply.question?["screen"] as? [String: Any]
      #expect((screen?["messages"] as? [[String: Any]])?.first?["code"] as? String == "secret-lost", "\(reply)")
    }
    #expect(replies[3]["end"] as? [String: [String: String]] == ["finish": [:]], "\(replies[3])")
    #expect(bench.noted == ["1234"])
  }

  @Test("A play continues from each of its earlier places")
  func playGoesOnFromEachPlace() async throws {
    let bench = try ScriptBench()
    try bench.write("both", #"ask finish size="$(ask menu size "How large?" small=Small large=Large)""#)
    let replies = try await bench.steer(
      "both", #"{"start": "both"}"#, #"{"event": "large"}"#, #"{"event": "small", "place": 0}"#)
    #expect(replies.map { $0["place"] as? Int } == [0, 1, 2])
    #expect(replies[1]["end"] as? [String: [String: String]] == ["finish": ["size": "large"]])
    #expect(replies[2]["end"] as? [String: [String: String]] == ["finish": ["size": "small"]])
  }

  @Test("The first difference of two runs is reported with both operations, and a mistake of the script is reported, too")
  func differenceIsTold() async throws {
    let bench = try ScriptBench()
    try bench.write("random", #"ask menu size "How large? $$" small=Small; exit 3"#)
    let replies = try await bench.steer("random", #"{"start": "random"}"#, #"{"event": "small"}"#)
    let differs = replies[0]["differs"] as? [String: Any]
    #expect(differs?["number"] as? Int == 1)
    for side in ["one", "other"] { #expect((differs?[side] as? [String: Any])?["key"] as? String == "size") }
    #expect((replies[1]["mistake"] as? String)?.contains("exited with status 3") == true, "\(replies[1])")
  }

  @Test("A play continues with a kept log, which a script fits or does not fit")
  func logIsKept() async throws {
    let bench = try ScriptBench()
    try bench.write("coffee", Self.coffee)
    let start = try await bench.steer("coffee", #"{"start": "coffee"}"#, #"{"event": "large"}"#)
    let log = String(decoding: try JSONSerialization.data(withJSONObject: start[1].flow?["log"] ?? [:]), as: UTF8.self)
    try bench.write("coffee", Self.coffee.replacingOccurrences(of: "ask message ready", with: "ask message here"))
    let replies = try await bench.steer(
      "coffee", #"{"start": "coffee", "log": \#(log)}"#, #"{"fits": "coffee", "log": \#(log)}"#,
      #"{"trace": "coffee", "log": \#(log)}"#)
    #expect(replies[0].question?["name"] as? String == "here" && bench.noted == ["1"], "\(replies[0])")
    #expect(replies[1]["fits"] as? Bool == false && replies[1]["misfit"] is String, "\(replies[1])")
    #expect((replies[2]["trace"] as? [[String: Any]])?.map { $0["key"] as? String } == ["size", "order", "here"])
  }

  @Test("For a person, time is as it is, and nothing is executed twice")
  func personPlays() async throws {
    let bench = try ScriptBench()
    try bench.write("now", #"echo run >>"$notes"; ask menu size "How large?" small=Small; ask finish now="$(ask now)""#)
    let before = Date().timeIntervalSince1970
    let replies = try await bench.steer("now --real --evict patiently", #"{"start": "now"}"#, #"{"event": "small"}"#)
    let end = replies[1]["end"] as? [String: [String: String]]
    let now = try #require(end?["finish"]?["now"].flatMap(Double.init), "\(replies[1])")
    #expect(now >= before.rounded(.down) && now <= Date().timeIntervalSince1970 + 1)
    #expect(bench.noted == ["run"])
  }

  @Test("A line that is not a request gets an error, and the next one is read")
  func wrongLineIsTold() async throws {
    let bench = try ScriptBench()
    try bench.write("coffee", Self.coffee)
    let replies = try await bench.steer(
      "coffee", "coffee", "{}", #"{"back": true}"#, #"{"start": "tea"}"#, #"{"start": "coffee"}"#)
    for reply in replies[..<3] { #expect(reply["wrong"] is String, "\(reply)") }
    #expect(replies[3]["unknown"] as? String == "tea")
    #expect(replies[4].question != nil)
    let play = try await bench.run("play", "coffee")
    #expect(play.status == .exited(64) && play.errors.contains("either --answers or --json"), "\(play.errors)")
  }
}

extension ScriptBench {
  /// Plays a script; returns the replies to the lines.
  fileprivate func steer(_ script: String, _ lines: String...) async throws -> [[String: Any]] {
    try keep("lines", lines.joined(separator: "\n"))
    let report = try await runCommand(["sh", "-c", "coordinator-scripts play \(script) --json <lines"])
    #expect(report.status == .exited(0), "\(report.errors)")
    let replies = report.output.split(separator: "\n").map { line in
      (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] ?? [:]
    }
    try #require(replies.count == lines.count, "\(report.output)\(report.errors)")
    return replies
  }
}

extension [String: Any] {
  fileprivate var question: [String: Any]? { self["question"] as? [String: Any] }
  fileprivate var flow: [String: Any]? { (self["flows"] as? [[String: Any]])?.first }
  fileprivate var entries: [[String: Any]] { (flow?["log"] as? [String: Any])?["entries"] as? [[String: Any]] ?? [] }
}
