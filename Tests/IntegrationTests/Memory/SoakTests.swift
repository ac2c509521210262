import TestBus
import Testing

@Suite("A short soak trial", .timeLimit(.minutes(5)))
struct SoakTests {
  /// A short form of `make soak`: long enough to fill every cache and history, and half as long again.
  @Test("Under load and with a renderer that never reads, the daemon keeps its memory bounds and exits cleanly")
  func daemonUnderLoadKeepsItsMemoryBounds() async throws {
    let report = try await Program.run(
      [
        Built.executable("soak"), "--seconds", "150", "--transitions", "15000", "--clients", "2", "--hammers", "8", "--sync",
        "off",
        "--growth", Built.isSanitized ? "400" : "10",
      ], limit: .seconds(200))
    #expect(report.status == .exited(0), "\(report)")
    // A sanitizer makes the daemon too slow for that.
    #expect(report.output.contains("grown by") || Built.isSanitized, "\(report)")
  }
}
