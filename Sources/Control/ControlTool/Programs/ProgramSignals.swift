import Glibc
import Platform

/// The signals that end a program which `coordinatorctl` runs: the first asks it to end, the second does not wait for that.
///
/// They are heard at any time: what this process waits for meanwhile, be it a daemon that is away or a terminal that takes
/// nothing, does not hold it up once the program has ended.
final class ProgramSignals: Sendable {
  /// What there is to end.
  private enum Stage: Sendable {
    case nothing
    /// A keeper whose program nobody can see yet.
    case keeper(StartedProcess)
    case program(RunningProgram)
  }

  private struct State: Sendable {
    var stage = Stage.nothing
    var loan: TerminalLoan?
    var count = 0
  }

  /// In which this process says how the program has ended, after its end, in microseconds.
  private static let lastWords: useconds_t = 5_000_000

  private let state = Lock(State())
  private let obedience = Lock<Task<Void, Never>?>(nil)

  /// Takes signals from now on. Call it at most once per process.
  ///
  /// - Parameter numbers: the numbers of the signals.
  init(_ numbers: [Int32] = [SIGINT, SIGTERM]) {
    let signals = ProcessSignals.take(numbers)
    let task = Task { [weak self] in
      guard let signals else { return }
      for await number in signals { await self?.take(number) }
    }
    obedience.withLock { $0 = task }
  }

  /// Has the signals end a keeper that has just been started, and this process with it.
  func obey(for keeper: StartedProcess) { state.withLock { $0.stage = .keeper(keeper) } }

  /// Has the signals end a program.
  func obey(for program: RunningProgram) { state.withLock { $0.stage = .program(program) } }

  /// Has this process take the terminal back before a signal ends it.
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

  /// Ends this process some time after a keeper has ended, with the status of the program: unless it has ended by then.
  /// On the thread that waits for the keeper, because others may be held up.
  private func leave(afterEndOf keeper: StartedProcess, pause: useconds_t) {
    keeper.whenOver { [self] status in
      // Not an event: the time that is left to this process itself.
      usleep(pause)
      leave(status)
    }
  }

  /// Ends this process without waiting for anything.
  private func leave(_ status: Int32) -> Never {
    state.withLock(\.loan)?.takeBack()
    _exit(status)
  }

  /// Stops to obey.
  func end() { obedience.withLock { $0?.cancel() } }
}
