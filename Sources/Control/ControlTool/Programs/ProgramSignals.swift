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

  /// Ends this process some time after a keeper has ended, with the status of the program, unless it has ended by then. Runs on
  /// the thread that waits for the keeper, because other threads may be blocked.
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
