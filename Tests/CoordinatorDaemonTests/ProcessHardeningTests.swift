import Hardening
import Testing

@Suite("Rule 8: the daemon is not dumpable")
struct ProcessHardeningTests {
  @Test("Rule 8: the kernel agrees that the process is not dumpable")
  func forbidsDumps() { #expect(ProcessHardening.forbidDumps()) }
}
