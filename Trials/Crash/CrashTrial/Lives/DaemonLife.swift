import Glibc
import TestBus

/// One process of the daemon, from its start to its end.
struct DaemonLife {
  let program: Program
  /// When it was started.
  let start: ContinuousClock.Instant

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - command: The program and its arguments.
  ///   - environment: What its environment has besides.
  ///   - bus: The bus to serve on.
  /// - Throws: `Program.StartFailed`.
  init(_ command: [String], _ environment: [String: String] = [:], on bus: PrivateBus) throws {
    start = .now
    let usual = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "SWIFT_BACKTRACE": "enable=no"]
    program = try Program(command, environment: usual.merging(environment) { $1 })
  }

  /// Ends it with no chance to do anything about it.
  ///
  /// - Throws: ``Violation`` if it has ended before, or has complained.
  func kill() async throws(Violation) {
    program.signal(SIGKILL)
    try check(await program.ended(), status: .killed(SIGKILL))
  }

  /// Ends it as systemd does.
  ///
  /// - Throws: ``Violation`` if it does not end as it should, or has complained.
  func stop() async throws(Violation) {
    program.signal(SIGTERM)
    try check(await program.ended(), status: .exited(0))
  }

  /// It logs errors and nothing else, so that whatever it says is a complaint; only Thread Sanitizer says at the end what it was told to
  /// keep quiet about.
  private func check(_ report: ProgramReport, status: ProgramReport.Status) throws(Violation) {
    let complaints = report.errors.split(whereSeparator: \.isNewline).filter {
      !$0.hasPrefix("ThreadSanitizer: Matched") && !$0.contains(/^\d+ race:/)
    }
    guard report.status != status || !complaints.isEmpty else { return }
    throw Violation(.different, tree: "the daemon", told: "\(status), and nothing to complain of", found: "\(report)")
  }
}
