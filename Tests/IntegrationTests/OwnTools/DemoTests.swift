import TestBus
import Testing

@Suite("The demo script without a terminal", .timeLimit(.minutes(5)))
struct DemoTests {
  /// The titles of the screens in the order in which the scripted visit shows them.
  private static let titles = [
    "Happy Tails Animal Clinic", "What is the visit for?", "How much does it hurt?", "No appointment required",
    "Happy Tails Animal Clinic", "What is the visit for?", "How much does it hurt?", "What is the visit for?",
    "Happy Tails Animal Clinic",
  ]

  private func expectVisit(_ report: ProgramReport) {
    #expect(report.status == .exited(0), "\(report)")
    #expect(report.lines.filter(Set(Self.titles).contains) == Self.titles, "\(report)")
    let notes = report.lines.filter { $0.hasPrefix("Note: ") }
    #expect(notes == ["Note: Your visit is scheduled.", "Note: No visit was scheduled."])
    #expect(report.lines.suffix(2) == ["pets_1  [1 home]", "The flow was cancelled."])
  }

  @Test("The demo starts a daemon on the session bus and plays its scripted visit")
  func demoStartsADaemonOnTheBus() async throws {
    let bus = try PrivateBus()
    expectVisit(
      try await Program.run(
        ["/bin/sh", Built.checkedOut("Scripts/demo"), Built.directory()], environment: RunningDaemon.environment(of: bus)))
  }

  @Test("The demo uses a running daemon and leaves it running")
  func demoUsesARunningDaemon() async throws {
    let daemon = try await RunningDaemon.start()
    expectVisit(try await daemon.run("/bin/sh", Built.checkedOut("Scripts/demo"), Built.directory()))
    #expect(try await daemon.client().manager.listActive().isEmpty)
  }

  @Test("The demo starts a bus if there is none")
  func demoStartsABusWhereThereIsNone() async throws {
    let report = try await Program.run(
      ["env", "-u", "XDG_RUNTIME_DIR", "/bin/sh", Built.checkedOut("Scripts/demo"), Built.directory()],
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent", "TERM": "dumb", "LC_ALL": "C.UTF-8"])
    #expect(report.output.hasPrefix("No session bus found"), "\(report)")
    expectVisit(report)
  }
}
