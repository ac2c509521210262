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
