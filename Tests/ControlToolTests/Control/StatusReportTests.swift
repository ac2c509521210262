import CoordinatorKit
import Testing

@testable import ControlTool
@testable import RendererKit

@Suite("The report of 'coordinatorctl status' and the tables", .timeLimit(.minutes(5)))
struct StatusReportTests {
  private let report = StatusReport(
    version: "0.1.0", process: 42, user: 1000, program: "first-boot", bus: "the session bus", startedAt: 1_000_000,
    flows: 2, renderers: 1, stateDirectory: "/var/lib/x", isEphemeral: false, limits: ["MaxFlows": 9, "MaxDepth": 3])

  @Test("The report names the program, its age, its bus, what it does, where its state is, and its limits")
  func reportNamesEverything() {
    #expect(
      report.lines(at: 7_200_000_000, style: TextStyle()) == [
        "first-boot 0.1.0", "    Process: 42, up 1h", "        Bus: the session bus", "      Flows: 2 of at most 9",
        "  Renderers: 1", "      State: /var/lib/x", "     Limits: MaxDepth=3 MaxFlows=9",
      ])
    #expect(report.json["stateDirectory"] == "/var/lib/x")
    #expect(report.json["limits"]?["MaxFlows"] == 9)
  }

  @Test("A daemon that keeps nothing, or whose directory is not known, says so")
  func missingStateIsExplained() {
    var other = report
    other.stateDirectory = nil
    #expect(other.lines(at: 0, style: TextStyle()).contains("      State: unknown; the daemon's unit may name it"))
    other.program = nil
    #expect(other.lines(at: 0, style: TextStyle()).contains("      State: unknown: the daemon runs as another user"))
    other.isEphemeral = true
    #expect(other.lines(at: 0, style: TextStyle()).contains("      State: nothing is kept (--ephemeral)"))
    #expect(other.json["stateDirectory"] == nil)
  }

  @Test("The start of a process is read past a name with spaces and parentheses")
  func startIsReadPastTheName() {
    let fields = (3...22).map { $0 == 22 ? "250" : "0" }.joined(separator: " ")
    #expect(DaemonUptime.start(stat: "7 (a) b) \(fields) 0", boot: "cpu 1\nbtime 1000\n", ticks: 100) == 1_002_500_000)
    #expect(DaemonUptime.start(stat: "7 (a) S 1", boot: "btime 1\n", ticks: 100) == nil)
    #expect(DaemonUptime.start(stat: "7 (a) \(fields)", boot: "", ticks: 100) == nil)
  }

  @Test("An age is printed in its largest unit")
  func ageIsToldInItsLargestUnit() {
    let ages = [0, 59, 60, 3599, 3600, 86_400, 200_000].map { TreeRow.age(since: 0, at: UInt64($0) * 1_000_000) }
    #expect(ages == ["0s", "59s", "1m", "59m", "1h", "1d", "2d"])
    #expect(TreeRow.age(since: 5, at: 4) == "0s")
  }

  @Test("Columns are as wide as their widest cell, and titles can be left out")
  func columnsAreAlignedAndTitlesOptional() {
    let table = TextTable(titles: ["NAME", "FLOW"], rows: [["a", "pets"], ["longer", "x"]])
    #expect(table.lines(style: TextStyle()) == ["NAME    FLOW", "a       pets", "longer  x"])
    #expect(table.lines(style: TextStyle(), hasLegend: false) == ["a       pets", "longer  x"])
  }
}
