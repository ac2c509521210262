import Platform
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

/// Values in the order in which any threads appended them.
final class Record<Element: Sendable>: Sendable {
  private let storage = Lock<[Element]>([])
  var values: [Element] { storage.withLock { $0 } }
  func append(_ value: Element) { storage.withLock { $0.append(value) } }
}

extension EventLoop {
  /// Returns once everything that was queued before has run.
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

/// Blocks a thread until it is opened; stands for code that does not return.
final class Gate: Sendable {
  private let ends: (read: Int32, write: Int32)

  init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0)
    self.ends = (ends[0], ends[1])
  }

  deinit {
    close(ends.read)
    close(ends.write)
  }

  func open() {
    var byte: UInt8 = 1
    write(ends.write, &byte, 1)
  }

  /// Blocks until the gate is open, and leaves it open for the next caller.
  func block() {
    var byte: UInt8 = 0
    read(ends.read, &byte, 1)
    open()
  }
}
