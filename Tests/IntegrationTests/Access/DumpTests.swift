import CoordinatorBus
import CoordinatorClient
import Foundation
import Glibc
import TestBus
import Testing

@Suite("Rule 8: Memory dumps", .timeLimit(.minutes(5)))
struct DumpTests {
  /// Starts a program without a limit on the size of its core dump, waits for its output, and kills it with SIGSEGV.
  private static func crash(_ arguments: [String], environment: [String: String] = [:], _ text: String) async throws
    -> ProgramReport
  {
    let directory = FileManager.default.temporaryDirectory.path + "/dump-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let script = "ulimit -c unlimited; cd \"$0\"; exec \"$@\""
    let program = try Program(["sh", "-c", script, directory] + arguments, environment: environment)
    try await program.prints(text)
    program.signal(SIGSEGV)
    return await program.ended()
  }

  /// Whether this machine writes a memory dump for any program.
  private static func areDumpsWritten() async throws -> Bool {
    try await crash(["sh", "-c", "echo begun; exec sleep 60"], "begun").hasDumped
  }

  @Test(
    "Rule 8: A crashed program through which passwords pass leaves no memory dump",
    .disabled(if: Built.isSanitized, "a sanitizer handles SIGSEGV itself, and ends the program with a status of its own"),
    .enabled("This machine writes no memory dumps at all.") { try await Self.areDumpsWritten() },
    arguments: [
      ["coordinatorctl", "watch", "mine"], ["coordinator-tui", "--linear", "mine"], ["coordinator-web", "mine"],
    ])
  func toolsThatHandlePasswordsLeaveNoDump(command: [String]) async throws {
    let daemon = try await RunningDaemon.start()
    _ = try await daemon.client().manager.startFlow("account", options: Options(token: "mine"))
    // Keeps Swift's own crash handler out of the way.
    let environment = daemon.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let report = try await Self.crash([Built.executable(command[0])] + command.dropFirst(), environment: environment, "\n")
    #expect(report.status == .killed(SIGSEGV))
    #expect(!report.hasDumped)
  }
}
