import CoordinatorJournal
import CoordinatorKit
import CoordinatorTestKit
import Foundation
import TestBus
import Testing

@Suite("coordinatorctl log", .timeLimit(.minutes(5)))
final class LogTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID().uuidString)").path
  private let journal: Journal
  private let flow: TestFlow

  /// Starts a flow, which leaves a history of one entry, in a journal that is in use.
  init() async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { Bell() }
    journal = try Journal(JournalConfiguration(directory: directory))
    let root = StoredRoot(
      name: "bell_1", sequence: 1, lastNumber: 1, flow: "bell", digest: Digest(of: "bell"), hasToken: false)
    flow = try await TestFlow.start(
      "bell", in: catalogue, root: "bell_1", store: journal.store(of: root, in: catalogue))
  }

  deinit {
    journal.close()
    try? FileManager.default.removeItem(atPath: directory)
  }

  private func log(_ arguments: String..., environment: [String: String] = [:]) async throws -> ProgramReport {
    try await Program.run([Built.executable("coordinatorctl"), "log"] + arguments, environment: environment)
  }

  @Test("'coordinatorctl log' prints a table, newest entry last, whether or not the journal is in use")
  func logPrintsATableNewestLast() async throws {
    try await flow.send("ring")
    for _ in 0..<2 {
      let report = try await log("--state-dir", directory)
      #expect(report.status == .exited(0))
      #expect(report.lines.count == 3)
      #expect(report.lines.first?.hasPrefix("TIME ") == true)
      #expect(report.lines.last?.hasSuffix("delegate ring  bell_1       2") == true, "\(report)")
      journal.close()
    }
  }

  @Test("'coordinatorctl log' finds the journal in the daemon's state directory")
  func logFindsTheJournalInTheStateDirectory() async throws {
    #expect(try await log("--json", environment: ["STATE_DIRECTORY": directory]).lines.count == 1)
  }

  @Test("'coordinatorctl log' prints the last 50 entries for people, and all of them with --json")
  func logIsWholeAsJSON() async throws {
    for _ in 0..<60 { try await flow.send("ring") }
    let number = try await log("--json", "--state-dir", directory).lines.count
    #expect(number > 60)
    #expect(try await log("--state-dir", directory).lines.count == 51)
    #expect(try await log("--json", "-n", "2", "--state-dir", directory).lines.count == 2)
  }

  @Test("'coordinatorctl log --json' prints one object per line for the coordinator and the number of lines asked for")
  func logSelectsEntriesAsJSON() async throws {
    try await flow.call(.startChild(flow.tree.root, flow: "bell", input: [:], router: .modal))
    try await flow.send("ring")
    let report = try await log("--json", "--state-dir", directory, "--lines", "1", "bell_1/bell_1")
    let path = "/org/coordinatord/Coordinator1/flows/bell_1"
    #expect(
      report.output == #"""
        {"coordinator":"\#(path)/bell_1","event":"delegate","name":"ring","number":3,"revision":3,"root":"\#(path)","time":0}

        """#)
    #expect(try await log("--json", "--state-dir", directory, "--since", "1h").output.isEmpty)
    #expect(try await log("--state-dir", directory, "other_1").output == "No matching entries.\n")
  }

  @Test("'coordinatorctl log --follow' prints new entries as they are written")
  func logFollowsNewEntries() async throws {
    let log = try Program([Built.executable("coordinatorctl"), "--json", "log", "--follow", "--state-dir", directory])
    try await log.prints(#""event":"start""#)
    try await flow.send("ring")
    try await log.prints(#""name":"ring","number":2"#)
    try await flow.cancel()
    try await log.prints(#""outcome":"cancelled""#)
    log.signal(SIGINT)
    let report = await log.ended()
    #expect(report.status == .killed(SIGINT))
    #expect(report.lines.count == 3)
  }

  @Test("'coordinatorctl log' reports a missing journal and a wrong command line")
  func missingJournalsAndInvalidOptionsAreReported() async throws {
    let none = try await log("--state-dir", "/nowhere")
    #expect(none.status == .exited(1))
    #expect(none.errors.hasPrefix("coordinatorctl: cannot read the journal /nowhere/journal.sqlite: No such file"))
    let asJSON = try await log("--json", "--state-dir", "/nowhere")
    #expect(asJSON.errors.hasPrefix(#"{"error":{"message":"cannot read the journal "#))
    #expect(try await log("--lines=-1").status == .exited(64))
    #expect(try await log("--since", "soon").status == .exited(64))
    #expect(try await log("--state-dir", directory, "a//b").status == .exited(64))
  }
}

/// A flow that counts how often it was rung.
private actor Bell: Coordinator {
  static let flow = FlowDescription("bell", title: "Bell")
  enum Route: Codable { case main }
  struct State: FlowState { var rings = 0 }

  let context = Context()

  func start() { router.present(.main) }

  func screen(for route: Route) -> Screen {
    .message("main", title: Text(verbatim: "\(state.rings)"), actions: [Action("ring", "Ring")])
  }

  func receive(_ event: Event, on route: Route) throws { state.rings += 1 }
}
