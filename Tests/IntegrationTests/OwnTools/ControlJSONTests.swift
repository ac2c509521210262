import CoordinatorBus
import TestBus
import Testing

@Suite("The JSON output of coordinatorctl, which scripts rely on", .timeLimit(.minutes(5)))
struct ControlJSONTests {
  private static let flows = Contract.flowsPath.string

  /// Runs a command that must succeed, and returns its output.
  @discardableResult
  private func control(_ daemon: RunningDaemon, _ arguments: String...) async throws -> String {
    let report = try await Program.run([Built.executable("coordinatorctl")] + arguments, environment: daemon.environment)
    try #require(report.status == .exited(0), "\(arguments): \(report)")
    return report.output.replacing(/"startedAt":\d{16}/, with: #""startedAt":0"#)
  }

  @Test("The JSON output of every command is exact, with its keys in order")
  func jsonOfEveryCommandIsStable() async throws {
    let daemon = try await RunningDaemon.start()
    let mine = Self.flows + "/mine"
    #expect(
      try await control(daemon, "start", "pets", "--token=mine", "--json")
        == #"{"coordinator":"\#(mine)","router":"\#(mine)/router"}"# + "\n")
    let home = #"""
      {"actions":[{"id":"schedule-visit","role":"primary","title":"Schedule a visit"}],"back":false,\#
      "body":"We look after your pet.","coordinator":"\#(mine)","id":1,"kind":"message","layer":0,"name":"home",\#
      "style":"root","title":"Happy Tails Animal Clinic"}
      """#
    #expect(
      try await control(daemon, "--json", "show")
        == #"{"renderers":[],"revision":1,"screens":[\#(home)],"top":1}"# + "\n")
    let visit = #"""
      {"actions":[{"id":"well","role":"normal","title":"A check-up"},{"id":"sick","role":"normal","title":"My pet is sick"}],\#
      "back":true,"body":"","coordinator":"\#(mine)/schedule_visit_1","id":2,"kind":"menu","layer":1,\#
      "name":"select-visit-type","style":"modal","title":"What is the visit for?"}
      """#
    let window = #"{"revision":2,"screens":[\#(home),\#(visit)],"top":2}"#
    #expect(
      try await control(daemon, "send", "schedule-visit", "--json") == #"{"revision":2,"window":\#(window)}"# + "\n")
    let child = #"""
      {"children":[],"coordinator":"\#(mine)/schedule_visit_1","flow":"schedule-visit",\#
      "screens":[{"id":2,"name":"select-visit-type","top":true}],"startedAt":0}
      """#
    #expect(
      try await control(daemon, "tree", "--json") == #"""
        [{"children":[\#(child)],"coordinator":"\#(mine)","flow":"pets","renderers":[],\#
        "screens":[{"id":1,"name":"home","top":false}],"startedAt":0,"token":"mine"}]

        """#)
    let back = try await control(daemon, "back", "--json")
    #expect(back.hasPrefix(#"{"revision":3,"window":{"revision":3,"#))
    #expect(
      try await control(daemon, "dismiss", "--json") == #"{"outcome":"cancelled","result":{},"revision":4}"# + "\n")
  }

  @Test("'coordinatorctl watch' prints one JSON object per line as things happen")
  func watchPrintsOneObjectPerLine() async throws {
    let daemon = try await RunningDaemon.start()
    try await control(daemon, "start", "how-to-code")
    let watching = try daemon.launch(Built.executable("coordinatorctl"), "watch", "--json")
    try await watching.prints(#"{"event":"window","revision":1,"screens":["#)
    try await control(daemon, "dismiss")
    let report = await watching.ended()
    #expect(report.status == .exited(3))
    #expect(report.lines.last == #"{"event":"ended","outcome":"cancelled","result":{}}"#)
  }
}
