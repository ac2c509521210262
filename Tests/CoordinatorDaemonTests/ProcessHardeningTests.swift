import Hardening
import Testing

@Suite("Rule 8: Process hardening", .timeLimit(.minutes(5)))
struct ProcessHardeningTests {
  @Test("Rule 8: The kernel confirms that the process is not dumpable")
  func kernelConfirmsProcessIsNotDumpable() { #expect(ProcessHardening.forbidDumps()) }
}
