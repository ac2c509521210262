import Glibc

@testable import DBus

/// An actor on a loop's serial executor.
actor LoopActor {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.serialExecutor.asUnownedSerialExecutor() }
  private(set) var numbers: [Int] = []

  init(loop: EventLoop) { self.loop = loop }

  func append(_ number: Int) { numbers.append(number) }
  var thread: UInt { UInt(pthread_self()) }
}

extension EventLoop {
  /// Returns after all previously queued jobs have run.
  func drained() async {
    await withCheckedContinuation { continuation in post { continuation.resume() } }
  }

  /// Returns when `delay` has passed on this loop's clock.
  func passed(_ delay: Duration) async {
    await withCheckedContinuation { continuation in schedule(after: delay) { continuation.resume() } }
  }

  /// Returns the ID of the thread that currently runs serial jobs.
  func serialThread() async -> UInt {
    await withCheckedContinuation { continuation in post { continuation.resume(returning: UInt(pthread_self())) } }
  }
}
