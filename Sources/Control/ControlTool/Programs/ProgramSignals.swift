import Glibc
import Platform

/// The signals that end a program which `coordinatorctl` runs: the first asks it to end, the second does not wait for that.
final class ProgramSignals: Sendable {
  private struct State: Sendable {
    var program: RunningProgram?
    var count = 0
  }

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

  /// Has the signals end a program; those that have arrived, too.
  func obey(for program: RunningProgram) async {
    let count = state.withLock { state in
      state.program = program
      return state.count
    }
    if count > 0 { await program.end() }
  }

  private func take(_ number: Int32) async {
    let (program, count) = state.withLock { state in
      state.count += 1
      return (state.program, state.count)
    }
    if count > 1 { exit(128 + number) }
    await program?.end()
  }

  /// Stops to obey.
  func end() { obedience.withLock { $0?.cancel() } }
}
