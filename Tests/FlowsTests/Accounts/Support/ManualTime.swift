import Platform
import TestBus

@testable import Accounts

/// Clocks that a test sets, so that the tests need not wait.
final class ManualTime: TimeSource {
  fileprivate struct State {
    var elapsed = Duration.seconds(100)
    var wallClock: Int64 = 1_700_000_000_000
    var sleepers: [(deadline: Duration, signal: OneTimeSignal)] = []
    var watchers: [(sleepers: Int, signal: OneTimeSignal)] = []
  }

  private let state = Lock(State())

  /// The number of times that ``elapsed`` has been read.
  let reads = Observed(0)

  var elapsed: Duration {
    defer { reads.update { $0 += 1 } }
    return state.withLock(\.elapsed)
  }

  var wallClock: Int64 {
    get { state.withLock(\.wallClock) }
    set { state.withLock { $0.wallClock = newValue } }
  }

  func sleep(until deadline: Duration) async throws {
    let signal = OneTimeSignal()
    let seen = state.withLock { state in
      state.sleepers.append((deadline, signal))
      return state.takeWatchers()
    }
    for watcher in seen { watcher.give() }
    wake()
    try await signal.wait()
  }

  /// Advances both clocks.
  func advance(by duration: Duration) {
    state.withLock {
      $0.elapsed += duration
      $0.wallClock += Int64(duration / .milliseconds(1))
    }
    wake()
  }

  /// Waits until exactly `count` tasks sleep.
  func sleeping(_ count: Int) async throws {
    let signal = OneTimeSignal()
    let seen = state.withLock { state in
      state.watchers.append((count, signal))
      return state.takeWatchers()
    }
    for watcher in seen { watcher.give() }
    try await signal.wait()
  }

  private func wake() {
    let due = state.withLock { state in
      let due = state.sleepers.filter { $0.deadline <= state.elapsed }
      state.sleepers.removeAll { $0.deadline <= state.elapsed }
      return due
    }
    for sleeper in due { sleeper.signal.give() }
  }
}

extension ManualTime.State {
  /// Removes and returns the watchers whose number of sleepers is reached.
  fileprivate mutating func takeWatchers() -> [OneTimeSignal] {
    sleepers.removeAll { !$0.signal.isWanted }
    let asleep = sleepers.count
    let seen = watchers.filter { $0.sleepers == asleep }
    watchers.removeAll { $0.sleepers == asleep }
    return seen.map(\.signal)
  }
}
