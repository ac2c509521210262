import TestBus
import Testing

@Suite("Fuzzing every method on the bus", .timeLimit(.minutes(5)))
struct FuzzTests {
  /// A short form of `make fuzz` with a new seed each time, which is printed together with the violations.
  @Test("Every method answers random and extreme values as the contract says, and the daemon stays healthy")
  func everyMethodSurvivesRandomValues() async throws {
    let growth = Built.isSanitized ? "512" : "64"
    let report = try await Program.run(
      [Built.executable("bus-fuzzer"), "--seconds", "10", "--clients", "2", "--growth", growth], limit: .seconds(200))
    #expect(report.status == .exited(0), "\(report)")
  }
}
