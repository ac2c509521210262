import Glibc
import Testing

@testable import Platform

@Suite("Starting programs", .timeLimit(.minutes(5)))
struct ProcessStartTests {
  /// Runs a shell script with a descriptor, and returns its exit status.
  private func run(_ script: String, environment: [String]? = nil, _ traits: ProcessStart.Traits = []) throws -> Int32 {
    let arguments = ["sh", "-c", script].map([CChar].init(argument:))
    let process = try ProcessStart.start(
      "/bin/sh", arguments, environment: environment?.map([CChar].init(argument:)), traits
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

  @Test("A program can begin a new session")
  func programBeginsASession() throws {
    let script = "read -r _ _ _ _ group session _ < /proc/self/stat; test \"$session\" = $$"
    #expect(try run(script, .ownSession) == 0)
    #expect(try run(script) == 1)
  }

  @Test("A program has the nice value of this process, whatever that of the thread is that starts it, if this user may lower it")
  func programHasTheNiceValueOfTheProcess() async throws {
    // The nice value of this process, because every thread may have another one.
    let own = Thread.nice(of: getpid())
    let (nice, status, mayLower) = await withCheckedContinuation { continuation in
      let isStarted = Thread.start(name: "nicer") {
        Thread.lowerPriority(of: Thread.current)
        let status = try? run("read -r line < /proc/self/stat; set -- ${line##*)}; test \"${17}\" = \(own)")
        let nice = Thread.nice(of: Thread.current)
        let mayLower = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(Thread.current), own) == 0
        continuation.resume(returning: (nice, status, mayLower))
      }
      if !isStarted { continuation.resume(returning: (own, nil, false)) }
    }
    #expect(nice > own)
    // Most users may only raise a nice value. The program starts nevertheless.
    #expect(status == (mayLower ? 0 : 1))
  }

  @Test("What a reaper's processes leave behind becomes a child of the reaper")
  func reaperKeepsWhatItStarts() throws {
    // The shell that starts the last process ends before it, and its parent asks for the parent of the orphan.
    let script = """
      child=$(setsid sh -c 'sleep 60 >/dev/null & echo $!')
      read -r line < "/proc/$child/stat"; kill "$child"
      set -- ${line##*)}; test "$2" = $$
      """
    #expect(try run(script, .reaper) == 0)
    #expect(try run(script) == 1)
  }

  @Test("A program that ends with its thread is killed then")
  func programEndsWithItsThread() async throws {
    let process: pid_t? = await withCheckedContinuation { continuation in
      let isStarted = Thread.start(name: "short") {
        let sleep = ["sleep", "1000"].map([CChar].init(argument:))
        continuation.resume(returning: try? ProcessStart.start("sleep", sleep, [.endsWithThread, .searched]) { _ in })
      }
      if !isStarted { continuation.resume(returning: nil) }
    }
    #expect(ProcessStart.wait(for: try #require(process)) & 0x7F == SIGKILL)
  }

  @Test("A program that does not exist is a failure with its code")
  func missingProgramIsAFailure() {
    #expect(throws: ProcessStart.Failure(code: ENOENT)) { try ProcessStart.start("/nonexistent", [[0]]) { _ in } }
  }
}
