import TestBus
import Testing

extension RunningDaemon {
  /// Limits the size of the daemon's files in bytes, which simulates a full disk.
  func limitFiles(to bytes: String) async throws {
    let report = try await Program.run(["prlimit", "--pid", "\(program.processIdentifier)", "--fsize=\(bytes):unlimited"])
    try #require(report.status == .exited(0), "\(report)")
  }
}
