import Glibc
import TestBus

/// A process of the daemon, from its start to its end.
struct DaemonLife {
  let program: Program
  /// When the process was started.
  let start: ContinuousClock.Instant
  /// Whether its log may report that other clients or providers have left.
  private let mayComplain: Bool

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - command: the program and its arguments.
  ///   - environment: variables that override or extend the environment.
  ///   - bus: the bus to serve on.
  ///   - mayComplain: whether its log may report that other clients or providers have left.
  /// - Throws: `Program.StartFailed`.
  init(_ command: [String], _ environment: [String: String] = [:], on bus: PrivateBus, mayComplain: Bool = false) throws {
    start = .now
    self.mayComplain = mayComplain
    let usual = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "SWIFT_BACKTRACE": "enable=no"]
    program = try Program(command, environment: usual.merging(environment) { $1 })
  }

  /// Kills the process with SIGKILL.
  ///
  /// - Throws: ``Violation`` if it had ended before, or wrote anything to stderr.
  func kill() async throws(Violation) {
    program.signal(SIGKILL)
    try check(await program.ended(), status: .killed(SIGKILL))
  }

  /// Stops the process with SIGTERM, as systemd does.
  ///
  /// - Throws: ``Violation`` if it does not exit with status 0, or wrote anything to stderr.
  func stop() async throws(Violation) {
    program.signal(SIGTERM)
    try check(await program.ended(), status: .exited(0))
  }

  /// Checks how the process ended. It logs only errors, so any text on stderr is a complaint, except for the suppressions that
  /// Thread Sanitizer lists at the end.
  private func check(_ report: ProgramReport, status: ProgramReport.Status) throws(Violation) {
    let complaints = report.errors.split(whereSeparator: \.isNewline).filter {
      !$0.hasPrefix("ThreadSanitizer: Matched") && !$0.contains(/^\d+ race:/)
    }
    guard report.status != status || !(complaints.isEmpty || mayComplain) else { return }
    throw Violation(.different, tree: "the daemon", told: "\(status), and no errors", found: "\(report)")
  }
}
