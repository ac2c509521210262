import Foundation
import Glibc
import Platform
import Testing

@Suite("Processes that are run to their ends", .timeLimit(.minutes(5)))
struct FinishedProcessTests {
  @Test("Output, errors and status are known at the end, however much is written to both")
  func everythingIsKnown() throws {
    let script = "for i in $(seq 3000); do echo '\(String(repeating: "o", count: 60))'; echo e >&2; done; exit 3"
    let process = try FinishedProcess("/bin/sh", ["sh", "-c", script])
    #expect(process.output.count == 3000 * 61)
    #expect(process.errors.count == 3000 * 2)
    #expect(process.status == 3)
  }

  @Test("A program reads its input to the end, and sees the variables that it was given and no others")
  func inputAndEnvironment() throws {
    let process = try FinishedProcess(
      "/bin/sh", ["sh", "-c", "cat; env"], environment: ["A": "b"], input: { descriptor in _ = write(descriptor, "hello\n", 6) })
    let lines = String(decoding: process.output, as: UTF8.self).split(separator: "\n")
    #expect(lines.first == "hello")
    #expect(lines.contains("A=b"))
    #expect(!lines.contains { $0.hasPrefix("PATH=") })
  }

  @Test("Input for a program that has ended is lost, and ends nothing else")
  func inputForNobody() throws {
    let mark = "/tmp/\(UUID().uuidString)"
    defer { unlink(mark) }
    let written = Lock(0)
    let process = try FinishedProcess(
      "/bin/sh", ["sh", "-c", "exec <&-; : > \(mark)"],
      input: { descriptor in
        // There is no event when another process closes a descriptor.
        while access(mark, F_OK) != 0 { usleep(1000) }
        written.withLock { $0 = write(descriptor, "hello\n", 6) }
      })
    #expect(written.withLock { $0 } == 6)
    #expect(process.status == 0)
  }

  @Test("A program that a signal ends has the status that shells give it")
  func signalIsAStatus() throws {
    #expect(try FinishedProcess("/bin/sh", ["sh", "-c", "kill -TERM $$"]).status == 128 + SIGTERM)
  }

  @Test("A program that does not exist is a failure with a reason")
  func missingProgramIsAFailure() {
    #expect(throws: ProcessStart.Failure(code: ENOENT)) { try FinishedProcess("/nonexistent", ["nonexistent"]) }
  }
}
