import TestBus
import Testing

extension RunningDaemon {
  /// Lets no file of the daemon's grow beyond so many bytes: what a full disk looks like from inside.
  func limitFiles(to bytes: String) async throws {
    let report = try await Program.run(["prlimit", "--pid", "\(program.processIdentifier)", "--fsize=\(bytes):unlimited"])
    try #require(report.status == .exited(0), "\(report)")
  }
}
