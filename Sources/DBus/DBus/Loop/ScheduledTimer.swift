import CDBus
import Glibc
import Platform

/// A closure that the loop runs once at a given time.
///
/// Releasing the timer does not cancel it.
public final class ScheduledTimer: Sendable {
  /// A wrapper type, because a bare closure that passes through a generic `inout` parameter comes back wrapped in
  /// another closure each time it is accessed, and the loop accesses it at each turn.
  private struct Body: Sendable {
    let run: @Sendable () -> Void
  }

  private let body: Lock<Body?>
  private let core: LoopCore

  init(core: LoopCore, body: @escaping @Sendable () -> Void) {
    self.core = core
    self.body = Lock(Body(run: body))
  }

  /// Cancels the timer. May be called from any thread. If called on the loop's serial executor, the body does not run
  /// after this returns; elsewhere, the body may be running now. Has no effect if the timer has fired or has already
  /// been cancelled.
  public func cancel() {
    guard takeBody() != nil else { return }
    core.timerWasCancelled()
  }

  var isCancelled: Bool { body.withLock { $0 == nil } }

  /// Removes and returns the body. Only one caller receives it, and either runs or drops it.
  func takeBody() -> (@Sendable () -> Void)? { body.withLock { $0.take() }?.run }
}

/// Runs a closure as a serial job of an ``EventLoop`` at a given time of a clock, even if the machine is suspended or its wall
/// clock is set meanwhile.
///
/// An absolute timer of `CLOCK_REALTIME` follows the wall clock when it is set, and one of `CLOCK_BOOTTIME` counts while the
/// machine is suspended. The kernel therefore does all the work, and the process does not wake up before the time has come.
///
/// Source: timerfd_create(2).
public final class ClockTimer: Sendable {
  /// A clock of the machine.
  public enum Clock: Sendable, Hashable, CaseIterable {
    /// The wall clock, which may be set. Counts from 1970.
    case wall
    /// The clock that cannot be set. Counts from the start of the machine, also while the machine sleeps.
    case elapsed

    /// The time by the clock, in microseconds.
    public var now: UInt64 {
      var time = timespec()
      clock_gettime(id, &time)
      return UInt64(max(time.tv_sec, 0)) * 1_000_000 + UInt64(max(time.tv_nsec, 0)) / 1_000
    }

    fileprivate var id: clockid_t {
      switch self {
      case .wall: CLOCK_REALTIME
      case .elapsed: CLOCK_BOOTTIME
      }
    }
  }

  private let descriptor: Int32
  private let core: LoopCore
  private let watch: UInt64

  /// Creates a timer that is not set; nil if the system has no descriptor left.
  ///
  /// - Parameters:
  ///   - clock: the clock to follow.
  ///   - loop: the loop to run the closure on.
  ///   - body: the closure to call as a serial job each time the timer expires. It must check the clock itself, which may have
  ///     been set since.
  public init?(by clock: Clock, on loop: EventLoop, _ body: @escaping @Sendable () -> Void) {
    let descriptor = timerfd_create(clock.id, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    core = loop.core
    watch = core.addWatch(descriptor: descriptor, events: Int16(POLLIN)) { _ in
      var expirations: UInt64 = 0
      // If there is nothing to read, the timer was set to another time at the last moment.
      guard read(descriptor, &expirations, 8) == 8 else { return }
      body()
    }
  }

  deinit {
    core.removeWatch(watch)
    close(descriptor)
  }

  /// Sets the timer, replacing its previous setting.
  ///
  /// - Parameter time: the time by the clock in microseconds; a time in the past means immediately, nil never.
  public func set(_ time: UInt64?) {
    var setting = itimerspec()
    if let time {
      setting.it_value = timespec(tv_sec: Int(time / 1_000_000), tv_nsec: Int(time % 1_000_000) * 1_000)
      // All zeros would disarm the timer.
      if time == 0 { setting.it_value.tv_nsec = 1 }
    }
    timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil)
  }
}

/// The loop's timers: a binary heap ordered by time, then by the order in which they were set.
///
/// A cancelled timer stays in the heap until it comes up or until more than half of the heap is cancelled. Cancelling
/// is therefore almost free (nearly every deadline of a method call is cancelled), and memory use stays within twice
/// what is needed.
struct TimerQueue {
  private struct Entry {
    let time: UInt64
    let order: UInt64
    let timer: ScheduledTimer

    func isBefore(_ other: Entry) -> Bool { time != other.time ? time < other.time : order < other.order }
  }

  private var heap: [Entry] = []
  private var nextOrder: UInt64 = 0
  private var cancelled = 0

  /// The number of entries, including cancelled ones.
  var count: Int { heap.count }

  mutating func insert(_ timer: ScheduledTimer, at time: UInt64) {
    heap.append(Entry(time: time, order: nextOrder, timer: timer))
    nextOrder += 1
    siftUp(heap.count - 1)
  }

  /// Returns the time at which the loop must wake up for a timer; nil for never.
  mutating func nextTime() -> UInt64? {
    while let first = heap.first {
      guard first.timer.isCancelled else { return first.time }
      removeFirst()
      cancelled = max(0, cancelled - 1)
    }
    return nil
  }

  /// Removes and returns the first timer that is due.
  mutating func popDue(at now: UInt64) -> ScheduledTimer? {
    guard let time = nextTime(), time <= now else { return nil }
    return removeFirst().timer
  }

  /// Records that one of the timers was cancelled.
  mutating func noteCancelled() {
    cancelled += 1
    guard cancelled > 64, cancelled > heap.count / 2 else { return }
    heap.removeAll { $0.timer.isCancelled }
    cancelled = 0
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
  }

  @discardableResult
  private mutating func removeFirst() -> Entry {
    heap.swapAt(0, heap.count - 1)
    let first = heap.removeLast()
    siftDown(0)
    return first
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].isBefore(heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func siftDown(_ start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].isBefore(heap[least]) {
        least = child
      }
      guard least != parent else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
