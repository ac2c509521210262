import CPlatform
import Forms
import Glibc
import Platform
import ScriptEngine

/// The process of a script, and all its descendants. May be used from any thread.
final class ScriptProcess: Sendable {
  /// The descriptor of the replay file. Scripts use low numbers themselves.
  static let replayDescriptor: Int32 = 99

  let process: pid_t
  private let output: Int32
  private let lastLine = Lock("")
  private let isRead = Lock(false)
  private let isEnded: Lock<Bool>
  /// The processes without a mark that it has left behind.
  private let strays = Lock<Set<pid_t>>([])
  /// When the remaining processes are killed; nil until ``end(run:then:)`` is called.
  private let end = Lock<ContinuousClock.Instant?>(nil)

  /// Starts a program in a new session. Its input is empty.
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments.
  ///   - environment: all variables.
  ///   - passing: descriptors of this process by the number that they get in the program.
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

  /// Takes over a process that has just ended, with the processes that it has left behind.
  init(ended process: pid_t) {
    (self.process, output, isEnded) = (process, -1, Lock(true))
    _ = strays.withLock { RunProcesses.claimStrays(&$0) }
  }

  /// Reads the output of the process, and waits for its end.
  ///
  /// - Parameters:
  ///   - line: receives each line for the log.
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
      // Its last output tells what was wrong. A process that it has left behind may keep the output open.
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

  /// Ends the process and all its descendants: with SIGTERM, which only those receive that live at this moment, and five
  /// seconds later with SIGKILL. Processes that they start to clean up have that time. A second call only waits.
  ///
  /// - Parameters:
  ///   - run: the number of the run, which all of them have in their environment unless they remove it.
  ///   - gone: called when none is left.
  func end(run: UInt64, then gone: @escaping @Sendable () -> Void = {}) {
    let isStarted = Thread.start(name: "script-stop") { [self] in
      let (end, isFirst) = end.withLock { end in
        let first = ContinuousClock.now + RunProcesses.patience
        defer { end = end ?? first }
        return (end ?? first, end == nil)
      }
      if isFirst { tell(run) }
      // Finding them takes time in proportion to the number of processes.
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

  /// Returns whether a process is left; kills those that are left if it is late.
  private func isLeft(_ run: UInt64, isLate: Bool) -> Bool {
    let root = root
    let members = strays.withLock { RunProcesses.all(run: run, below: root, &$0) }
    if isLate { for member in members { kill(member, SIGKILL) } }
    return root != nil || !members.isEmpty
  }
}

/// How the process of a script has ended.
struct ProcessEnd: Sendable, Hashable {
  /// The problem and its last output; nil if it has succeeded.
  var problem: String?
  /// Whether SIGKILL has ended it, which the system sends when memory is short, and a mistake in a script does not.
  var isKilled = false

  /// Creates an end that was not observed.
  init(problem: String) { self.problem = problem }

  /// Decodes a status of waitpid(2).
  ///
  /// - Parameters:
  ///   - status: the status.
  ///   - lastLine: the last line of the process's output; "" if there is none.
  init(status: Int32, lastLine: String) {
    let signal = status & 0x7F
    let exit = (status >> 8) & 0xFF
    guard signal != 0 || exit != 0 else { return }
    let last = lastLine.isEmpty ? "" : ": \(lastLine)"
    problem = signal != 0 ? "the script was ended by signal \(signal)\(last)" : "the script has exited with status \(exit)\(last)"
    isKilled = signal == SIGKILL
  }
}

/// A program that was started in a new session, as the subreaper of its descendants. Its input is empty.
struct SpawnedProgram {
  let process: pid_t
  /// The descriptor to read its output from. The caller closes it.
  let output: Int32

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments, at least the program.
  ///   - environment: all variables.
  ///   - passing: descriptors of this process by the number that they get in the program.
  ///   - hasErrors: whether stderr is part of its output, rather than discarded.
  ///   - endsWithThread: whether it is killed when the calling thread ends, so at the latest when this process ends.
  /// - Throws: `ProcessStart.Failure`.
  init(
    _ arguments: [String], environment: [String: String], passing: [Int32: Int32] = [:], hasErrors: Bool = true,
    endsWithThread: Bool = false
  ) throws(ProcessStart.Failure) {
    var ends: [Int32] = [-1, -1]
    guard coordinatord_pipe(&ends) == 0 else { throw ProcessStart.Failure(code: errno) }
    defer { close(ends[1]) }
    let writing = ends[1]
    do throws(ProcessStart.Failure) {
      let variables = environment.map { [CChar](argument: "\($0.key)=\($0.value)") }
      process = try ProcessStart.start(
        arguments[0], arguments.map([CChar].init(argument:)), environment: variables,
        endsWithThread ? [.ownSession, .reaper, .endsWithThread] : [.ownSession, .reaper]
      ) { actions in
        actions.open(0, "/dev/null", O_RDONLY)
        actions.pass(writing, as: 1)
        if hasErrors {
          actions.pass(writing, as: 2)
        } else {
          actions.open(2, "/dev/null", O_WRONLY)
        }
        for (number, descriptor) in passing { actions.pass(descriptor, as: number) }
        if let home = environment["HOME"], access(home, X_OK) == 0 { actions.enter(home) }
      }
    } catch {
      close(ends[0])
      throw error
    }
    output = ends[0]
  }
}

/// A command that undoes a step.
struct UndoCommand {
  private let arguments: [String]
  private let key: String
  private let run: UInt64
  private let socket: String

  /// Creates a command.
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments.
  ///   - key: the key of the step.
  ///   - run: a unique number, by which its processes are found.
  ///   - socket: the path of the socket of operations, which marks them as well.
  init(_ arguments: [String], key: String, run: UInt64, socket: String) {
    (self.arguments, self.key, self.run, self.socket) = (arguments, key, run, socket)
  }

  /// Runs the command to its end; ends it if the task is cancelled.
  ///
  /// - Parameter output: receives its output, line by line.
  /// - Returns: the outcome.
  func run(_ output: @escaping @Sendable (String) -> Void) async -> WorkOutcome {
    var variables = RunOrder.inherited
    variables["COORDINATOR_KEY"] = key
    variables["COORDINATOR_RUN"] = "\(run)"
    variables["COORDINATOR_HOST"] = socket
    do throws(ScriptCrash) {
      let process = try ScriptProcess(arguments, environment: variables, passing: [:])
      let problem = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          process.watch(output) { end in process.end(run: run) { continuation.resume(returning: end.problem) } }
        }
      } onCancel: {
        process.end(run: run)
      }
      return .ended(problem.map { .failed(StepError(type: "undo", message: $0)) } ?? .done(.null))
    } catch {
      return .ended(.failed(StepError(type: "undo", message: "\(error)")))
    }
  }
}

extension Undo {
  /// Why a script of root has no command that undoes a step.
  static let refusalAsRoot = """
    a script of root has no command that undoes a step: the daemon, which is not root, keeps the command, and could change it
    """

  /// The program that undoes a step, and its arguments; nil if the script undoes it.
  var arguments: [String]? {
    switch self {
    // The shell reads only this line. The words are its arguments: it finds the program, and replaces itself with it.
    case .words(let words): ["/bin/sh", "-c", "exec \"$@\"", "sh"] + words
    case .command(let command): ["/bin/sh", "-c", command]
    case .byScript: nil
    }
  }
}
