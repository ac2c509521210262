import Glibc
import Platform
import ScriptEngine

/// The process of a script, with all that it starts. May be used from any thread.
final class ScriptProcess: Sendable {
  /// The descriptor of the replay file. Scripts use low numbers themselves.
  static let replayDescriptor: Int32 = 99
  /// How many lines are kept of what a script writes, for its author.
  static let keptLines = 50
  /// How long processes have to end by themselves.
  private static let patience = Duration.seconds(5)

  let process: pid_t
  private let output: Int32
  private let lines = Lock<[String]>([])
  private let isRead = Lock(false)
  private let isEnded = Lock(false)

  /// Starts a program in a session of its own. Its input is empty.
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments.
  ///   - environment: all variables.
  ///   - passing: descriptors of this process by the number that they have in the program.
  /// - Throws: ``ScriptCrash`` if the program cannot be started.
  init(_ arguments: [String], environment: [String: String], passing: [Int32: Int32]) throws(ScriptCrash) {
    do throws(ProcessStart.Failure) {
      let program = try SpawnedProgram(arguments, environment: environment, passing: passing)
      (process, output) = (program.process, program.output)
    } catch {
      throw ScriptCrash("\(arguments[0]) cannot be started: \(error)")
    }
  }

  /// Reads what the process writes, and waits for its end.
  ///
  /// - Parameters:
  ///   - line: receives each line.
  ///   - end: called once, with what was wrong, if the process did not end well.
  func watch(_ line: @escaping @Sendable (String) -> Void, then end: @escaping @Sendable (String?) -> Void) {
    let isReading = Thread.start(name: "script-output") { [self] in
      readOutput(line)
      isRead.withLock { $0 = true }
      close(output)
    }
    if !isReading { close(output) }
    let isWaiting = Thread.start(name: "script-end") { [self] in
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      isEnded.withLock { $0 = true }
      // What it wrote last says what was wrong. A process that it has left behind may keep the output open.
      for _ in 0..<100 where !isRead.withLock(\.self) { usleep(5_000) }
      end(problem(status))
    }
    if !isWaiting { end("the system has no thread left") }
  }

  private func readOutput(_ line: (String) -> Void) {
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(output, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest += buffer[..<count]
      while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
        keep(rest[..<newline], line)
        rest.removeSubrange(...newline)
      }
      // A line without an end must not fill the memory.
      if rest.count > 4_096 {
        keep(rest[...], line)
        rest = []
      }
    }
    if !rest.isEmpty { keep(rest[...], line) }
  }

  private func keep(_ bytes: ArraySlice<UInt8>, _ line: (String) -> Void) {
    let text = String(decoding: bytes.prefix(1_000), as: UTF8.self)
    lines.withLock { $0 = $0.suffix(Self.keptLines - 1) + [text] }
    line(text)
  }

  private func problem(_ status: Int32) -> String? {
    let signal = status & 0x7F
    let exit = (status >> 8) & 0xFF
    guard signal != 0 || exit != 0 else { return nil }
    let last = lines.withLock { $0.last { !$0.isEmpty } }.map { ": \($0)" } ?? ""
    return signal != 0 ? "the script was ended by signal \(signal)\(last)" : "the script has exited with status \(exit)\(last)"
  }

  /// Ends the process and all that it has started: with SIGTERM, and five seconds later with SIGKILL.
  ///
  /// - Parameters:
  ///   - run: the number of the run, which all of them have in their environment, also those that have left the session.
  ///   - gone: called when none is left.
  func end(run: UInt64, then gone: @escaping @Sendable () -> Void = {}) {
    let isStarted = Thread.start(name: "script-stop") { [self] in
      signal(SIGTERM, run: run)
      let end = ContinuousClock.now + Self.patience
      // Looking for them takes time, the more the more processes there are.
      var pause: UInt32 = 2_000
      // A process that hides its memory hides its environment too, and is not among the members.
      while !isEnded.withLock(\.self) || !members(run).isEmpty {
        if end < .now { signal(SIGKILL, run: run) }
        usleep(pause)
        pause = min(pause * 2, 100_000)
      }
      gone()
    }
    if !isStarted {
      kill(-process, SIGKILL)
      gone()
    }
  }

  private func signal(_ number: Int32, run: UInt64) {
    if !isEnded.withLock(\.self) { kill(-process, number) }
    for member in members(run) { kill(member, number) }
  }

  private func members(_ run: UInt64) -> [pid_t] { RunProcesses.all(run: run) }
}
