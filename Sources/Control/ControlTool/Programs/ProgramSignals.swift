import Glibc
import Platform

/// The signals that end a program which `coordinatorctl` runs: the first one asks it to end, the second one ends it without
/// waiting.
///
/// Signals are handled at any time. A daemon that is away or a terminal that accepts no output does not delay the end of this
/// process once the program has ended.
final class ProgramSignals: Sendable {
  /// The process to end.
  private enum Stage: Sendable {
    case nothing
    /// A keeper whose program is not shown yet.
    case keeper(StartedProcess)
    case program(RunningProgram)
  }

  private struct State: Sendable {
    var stage = Stage.nothing
    var loan: TerminalLoan?
    var count = 0
  }

  /// The time that this process has after the end of the program to report it, in microseconds.
  private static let lastWords: useconds_t = 5_000_000

  private let state = Lock(State())
  private let obedience = Lock<Task<Void, Never>?>(nil)

  /// Handles signals from now on. Call it at most once per process.
  ///
  /// - Parameter numbers: numbers of the signals.
  init(_ numbers: [Int32] = [SIGINT, SIGTERM]) {
    let signals = ProcessSignals.take(numbers)
    let task = Task { [weak self] in
      guard let signals else { return }
      for await number in signals { await self?.take(number) }
    }
    obedience.withLock { $0 = task }
  }

  /// Makes the signals end a keeper that has just been started, and then this process.
  func obey(for keeper: StartedProcess) { state.withLock { $0.stage = .keeper(keeper) } }

  /// Makes the signals end a program.
  func obey(for program: RunningProgram) { state.withLock { $0.stage = .program(program) } }

  /// Makes this process take the terminal back before a signal ends it.
  func keep(_ loan: TerminalLoan) { state.withLock { $0.loan = loan } }

  private func take(_ number: Int32) async {
    let (stage, count) = state.withLock { state in
      state.count += 1
      return (state.stage, state.count)
    }
    switch stage {
    case .nothing: leave(128 + number)
    case .keeper(let keeper):
      keeper.terminate()
      if count > 1 { leave(128 + number) }
      leave(afterEndOf: keeper, pause: 0)
    case .program(let program):
      if count > 1 {
        program.keeper.terminate()
        leave(128 + number)
      }
      let pause = program.keeper.isOver ? 0 : Self.lastWords
      leave(afterEndOf: program.keeper, pause: pause)
      await program.end()
    }
  }

  /// Ends this process with the status of the program if it still runs some time after the end of a keeper. Runs on the thread
  /// that waits for the keeper, because other threads may be blocked.
  private func leave(afterEndOf keeper: StartedProcess, pause: useconds_t) {
    keeper.whenOver { [self] status in
      // A fixed delay, which gives this process the time to end normally.
      usleep(pause)
      leave(status)
    }
  }

  /// Ends this process immediately.
  private func leave(_ status: Int32) -> Never {
    state.withLock(\.loan)?.takeBack()
    _exit(status)
  }

  /// Stops handling the signals.
  func end() { obedience.withLock { $0?.cancel() } }
}

/// This terminal, while a renderer uses it.
struct TerminalLoan: Sendable {
  /// Resets the modes that renderers set: the mouse, bracketed paste, the keypad, colors, the alternate screen, the hidden
  /// cursor.
  private static let farewell = "\u{1B}[?1000l\u{1B}[?1006l\u{1B}[?2004l\u{1B}[?1l\u{1B}>\u{1B}[0m\u{1B}[?1049l\u{1B}[?25h"

  private let renderer: StartedProcess
  /// The previous settings of the terminal.
  private let before: termios?

  /// Saves the settings of the terminal, and starts a renderer on it.
  ///
  /// - Parameters:
  ///   - path: path of the renderer.
  ///   - arguments: its arguments, without its name.
  /// - Throws: ``StartedProcess/Failure``.
  init(to path: String, _ arguments: [[CChar]]) throws(StartedProcess.Failure) {
    var settings = termios()
    before = tcgetattr(STDIN_FILENO, &settings) == 0 ? settings : nil
    renderer = try StartedProcess(path, arguments)
  }

  /// Waits until the renderer has ended.
  func end() async { _ = await renderer.status }

  /// Asks the renderer to end.
  func recall() { renderer.terminate() }

  /// Takes the terminal back from a renderer that has not ended, perhaps because it waits for a terminal that accepts no
  /// output. Does nothing if it has ended.
  func takeBack() {
    guard !renderer.isOver else { return }
    renderer.kill()
    // Discards unread output, which would block the following writes.
    tcflush(STDOUT_FILENO, TCOFLUSH)
    let terminal = open("/dev/tty", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    if terminal >= 0 {
      _ = Array(Self.farewell.utf8).withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
      close(terminal)
    }
    if var before { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
  }
}

/// A process that this one has started.
struct StartedProcess: Sendable {
  /// The reason why a process was not started.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let id: pid_t
  /// The wait status in the format of waitpid(2).
  private let end: Task<Int32, Never>
  private let over = EndStatus()

  /// Starts a program with the standard streams of this process.
  ///
  /// - Parameters:
  ///   - path: path of the program.
  ///   - arguments: its arguments as bytes, without its name.
  ///   - input: descriptor of its standard input; nil for that of this process.
  ///   - output: descriptor of its standard output; nil for that of this process.
  /// - Throws: ``Failure``.
  init(_ path: String, _ arguments: [[CChar]], input: Int32? = nil, output: Int32? = nil) throws(Failure) {
    let id: pid_t
    do throws(ProcessStart.Failure) {
      id = try ProcessStart.start(path, [[CChar](argument: path)] + arguments) { actions in
        if let input { actions.pass(input, as: STDIN_FILENO) }
        if let output { actions.pass(output, as: STDOUT_FILENO) }
      }
    } catch {
      throw Failure(description: "\(path) could not be started: \(error)")
    }
    self.id = id
    end = Task { [over] in
      await withCheckedContinuation { continuation in
        let isWaiting = Thread.start(name: "child") {
          let status = ProcessStart.wait(for: id)
          let waiting = over.set(status)
          continuation.resume(returning: status)
          for body in waiting { body(status) }
        }
        if !isWaiting { continuation.resume(returning: 0) }
      }
    }
  }

  /// The exit status in the format of a shell, available when the process has ended.
  var status: Int32 {
    get async {
      Self.shellStatus(await end.value)
    }
  }

  /// Waits until the process has ended.
  ///
  /// - Returns: whether it has ended; false if the task was cancelled before.
  func isOverUnlessCancelled() async -> Bool {
    let (ends, continuation) = AsyncStream.makeStream(of: Int32.self)
    whenOver { continuation.yield($0) }
    return await ends.first { _ in true } != nil
  }

  /// The exit status in the format of a shell; nil while the process runs.
  var endStatus: Int32? { over.status.map(Self.shellStatus) }

  /// Whether the process has ended.
  var isOver: Bool { over.status != nil }

  /// Calls a closure when the process has ended, with the exit status in the format of a shell: on a separate thread, or at
  /// once if the process has already ended.
  func whenOver(_ body: @escaping @Sendable (Int32) -> Void) { over.whenSet { body(Self.shellStatus($0)) } }

  /// Asks the process to end, even if it is stopped.
  func terminate() { send(SIGTERM, SIGCONT) }

  /// Kills the process.
  func kill() { send(SIGKILL) }

  private func send(_ numbers: Int32...) {
    // The id of a process that has been waited for may belong to another process.
    if !isOver { for number in numbers { Glibc.kill(id, number) } }
  }

  private static func shellStatus(_ status: Int32) -> Int32 {
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }
}

/// The wait status of a process in the format of waitpid(2). May be used from any thread.
private final class EndStatus: Sendable {
  private struct State: Sendable {
    var status: Int32?
    var waiting: [@Sendable (Int32) -> Void] = []
  }

  private let state = Lock(State())

  var status: Int32? { state.withLock(\.status) }

  /// Stores the status, and returns the closures that wait for it.
  func set(_ status: Int32) -> [@Sendable (Int32) -> Void] {
    state.withLock { state in
      defer { state.waiting = [] }
      state.status = status
      return state.waiting
    }
  }

  func whenSet(_ body: @escaping @Sendable (Int32) -> Void) {
    let status = state.withLock { state in
      if state.status == nil { state.waiting.append(body) }
      return state.status
    }
    if let status { body(status) }
  }
}
