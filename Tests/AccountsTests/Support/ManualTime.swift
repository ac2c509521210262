import Platform
import TestBus

@testable import Accounts

/// Clocks that a test sets, so that nobody has to wait.
final class ManualTime: TimeSource {
  fileprivate struct State {
    var elapsed = Duration.seconds(100)
    var wallClock: Int64 = 1_700_000_000_000
    var sleepers: [(deadline: Duration, answer: PendingAnswer<Void>)] = []
    var watchers: [(sleepers: Int, answer: PendingAnswer<Void>)] = []
  }

  private let state = Lock(State())

  /// How often ``elapsed`` has been read.
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
    let answer = PendingAnswer<Void>()
    let seen = state.withLock { state in
      state.sleepers.append((deadline, answer))
      return state.takeWatchers()
    }
    for watcher in seen { watcher.give(.success(())) }
    wake()
    try await answer.value()
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
    let answer = PendingAnswer<Void>()
    let seen = state.withLock { state in
      state.watchers.append((count, answer))
      return state.takeWatchers()
    }
    for watcher in seen { watcher.give(.success(())) }
    try await answer.value()
  }

  private func wake() {
    let due = state.withLock { state in
      let due = state.sleepers.filter { $0.deadline <= state.elapsed }
      state.sleepers.removeAll { $0.deadline <= state.elapsed }
      return due
    }
    for sleeper in due { sleeper.answer.give(.success(())) }
  }
}

extension ManualTime.State {
  /// Removes and returns the watchers whose number of sleepers is reached.
  fileprivate mutating func takeWatchers() -> [PendingAnswer<Void>] {
    sleepers.removeAll { !$0.answer.isWanted }
    let asleep = sleepers.count
    let seen = watchers.filter { $0.sleepers == asleep }
    watchers.removeAll { $0.sleepers == asleep }
    return seen.map(\.answer)
  }
}
