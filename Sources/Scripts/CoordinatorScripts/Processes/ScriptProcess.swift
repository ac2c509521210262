import Glibc
import Platform
import ScriptEngine

/// The process of a script, with all that it starts. May be used from any thread.
final class ScriptProcess: Sendable {
  /// The descriptor of the replay file. Scripts use low numbers themselves.
  static let replayDescriptor: Int32 = 99

  let process: pid_t
  private let output: Int32
  private let lastLine = Lock("")
  private let isRead = Lock(false)
  private let isEnded: Lock<Bool>
  /// What it has left behind, and hides that.
  private let strays = Lock<Set<pid_t>>([])
  /// When what is left is killed; nil as long as nothing is to end.
  private let end = Lock<ContinuousClock.Instant?>(nil)

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
    isEnded = Lock(false)
  }

  /// Takes a process that has just ended, with what it has left behind.
  init(ended process: pid_t) {
    (self.process, output, isEnded) = (process, -1, Lock(true))
    _ = strays.withLock { RunProcesses.claimStrays(&$0) }
  }

  /// Reads what the process writes, and waits for its end.
  ///
  /// - Parameters:
  ///   - line: receives each line that is for the log.
  ///   - end: called once, when the process has ended.
  func watch(_ line: @escaping @Sendable (String) -> Void, then end: @escaping @Sendable (ProcessEnd) -> Void) {
    let isReading = Thread.start(name: "script-output") { [self] in
      readOutput(line)
      isRead.withLock { $0 = true }
      close(output)
    }
    if !isReading { close(output) }
    let isWaiting = Thread.start(name: "script-end") { [self] in
      let status = ProcessStart.wait(for: process)
      _ = strays.withLock { RunProcesses.claimStrays(&$0) }
      isEnded.withLock { $0 = true }
      // What it wrote last says what was wrong. A process that it has left behind may keep the output open.
      for _ in 0..<100 where !isRead.withLock(\.self) { usleep(5_000) }
      end(ProcessEnd(status: status, lastLine: lastLine.withLock(\.self)))
    }
    if !isWaiting { end(ProcessEnd(problem: "the system has no thread left")) }
  }

  private func readOutput(_ line: (String) -> Void) {
    var lines = OutputLines(at: .now)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(output, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      for text in lines.take(buffer[..<count], at: .now) { line(text) }
      lastLine.withLock { $0 = lines.lastLine }
    }
    for text in lines.end() { line(text) }
    lastLine.withLock { $0 = lines.lastLine }
  }

  /// Ends the process and all that it has started: with SIGTERM, which only those get that live at this moment, and five
  /// seconds later with SIGKILL. What they start to clean up has that time. If this was called before, it only waits.
  ///
  /// - Parameters:
  ///   - run: the number of the run, which all of them have in their environment unless they hide it.
  ///   - gone: called when none is left.
  func end(run: UInt64, then gone: @escaping @Sendable () -> Void = {}) {
    let isStarted = Thread.start(name: "script-stop") { [self] in
      let (end, isFirst) = end.withLock { end in
        let first = ContinuousClock.now + RunProcesses.patience
        defer { end = end ?? first }
        return (end ?? first, end == nil)
      }
      if isFirst { tell(run) }
      // Looking for them takes time, the more the more processes there are.
      var pause: UInt32 = 2_000
      while isLeft(run, isLate: end < .now) {
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

  private func tell(_ run: UInt64) {
    strays.withLock { strays in
      RunProcesses.tell(run: run, below: root, &strays) { if !isEnded.withLock(\.self) { kill(-process, SIGTERM) } }
    }
  }

  /// The process; nil if it has ended.
  private var root: pid_t? { isEnded.withLock(\.self) ? nil : process }

  /// Returns whether something is left, which is killed when it is late.
  private func isLeft(_ run: UInt64, isLate: Bool) -> Bool {
    let root = root
    let members = strays.withLock { RunProcesses.all(run: run, below: root, &$0) }
    if isLate { for member in members { kill(member, SIGKILL) } }
    return root != nil || !members.isEmpty
  }
}
