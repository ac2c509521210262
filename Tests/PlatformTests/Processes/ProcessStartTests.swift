import Glibc
import Testing

@testable import Platform

@Suite("Starting programs", .timeLimit(.minutes(5)))
struct ProcessStartTests {
  /// Runs a shell script with a descriptor, and returns its exit status.
  private func run(_ script: String, environment: [String]? = nil, inNewSession: Bool = false) throws -> Int32 {
    let arguments = ["sh", "-c", script].map([CChar].init(argument:))
    let process = try ProcessStart.start(
      "/bin/sh", arguments, environment: environment?.map([CChar].init(argument:)), inNewSession: inNewSession
    ) { _ in }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
  }

  @Test("A program has its arguments and, if they are given, only these variables")
  func programHasItsArguments() throws {
    #expect(try run("exit 3") == 3)
    #expect(try run("test \"$ONLY\" = this && test -z \"$PATH_OF_TEST\"", environment: ["ONLY=this"]) == 0)
  }

  @Test("A program can be ended by signals that this process ignores")
  func signalsAreDefault() throws {
    #expect(try run("kill -PIPE $$") == -SIGPIPE)
  }

  @Test("A program can begin a session of its own")
  func programBeginsASession() throws {
    let script = "read -r _ _ _ _ group session _ < /proc/self/stat; test \"$session\" = $$"
    #expect(try run(script, inNewSession: true) == 0)
    #expect(try run(script) == 1)
  }

  @Test("A program that does not exist is a failure with its code")
  func missingProgramIsAFailure() {
    #expect(throws: ProcessStart.Failure(code: ENOENT)) { try ProcessStart.start("/nonexistent", [[0]]) { _ in } }
  }
}
