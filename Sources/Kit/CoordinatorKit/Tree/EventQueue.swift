/// The queue of a flow tree, in order of arrival, and whether a task is consuming it.
///
/// A value that makes decisions; its owner guards it with a lock and acts on them. An idle tree has no task: the first
/// item starts one, which ends when the queue is empty.
struct EventQueue<Item: Sendable>: Sendable {
  /// What to do with an offered item.
  enum Admission: Sendable, Equatable {
    /// Start a task that consumes the queue.
    case start
    /// Nothing: the running task will reach the item.
    case wait
    /// Wake the running task: it waits for a provider, and takes the item at once.
    case overtake
    /// Refuse the item, because too many are waiting.
    case full
    /// Refuse the item, because the tree has ended.
    case closed
  }

  /// The waiting items, preceded by the current item and by handled ones.
  private var items: [Item] = []
  private var next = 0
  /// The waiting items that do not wait for a provider.
  private var overtaking: [Item] = []
  /// The running task's wait for a provider; nil if it does not wait.
  private(set) var wait: ProviderWait?
  private var isRunning = false
  private var isClosed = false
  private(set) var turn: UInt64 = 0

  /// The number of waiting items.
  var count: Int { items.count - next + overtaking.count }

  /// The number of the current item, starting at 1; nil while idle.
  var currentTurn: UInt64? { isRunning ? turn : nil }

  /// When the current item's first handler started; nil while no handler runs.
  private(set) var handlingSince: ContinuousClock.Instant?

  /// Whether the tree was abandoned while an item was being handled.
  private(set) var isAbandoned = false

  /// Records that handlers start running.
  mutating func handlersBegin(at now: ContinuousClock.Instant) { handlingSince = now }

  /// Records that the handlers have returned.
  mutating func handlersEnd() { handlingSince = nil }

  /// Appends an item.
  ///
  /// - Parameters:
  ///   - item: the item.
  ///   - capacity: the maximum number of waiting items; nil for an item that must not be refused.
  ///   - overtakes: whether the item does not wait for a provider, and passes items that do.
  /// - Returns: what to do.
  mutating func offer(_ item: Item, capacity: Int?, overtakes: Bool = false) -> Admission {
    guard !isClosed else { return .closed }
    if overtakes, wait != nil {
      overtaking.append(item)
      return .overtake
    }
    if let capacity, count >= capacity { return .full }
    items.append(item)
    guard !isRunning else { return .wait }
    isRunning = true
    return .start
  }

  /// Removes and returns the first item; nil if there is none, in which case the caller must stop consuming.
  mutating func take() -> Item? {
    guard next < items.count, !isAbandoned else {
      isRunning = false
      items = []
      next = 0
      return nil
    }
    if next > 64 && next * 2 > items.count {
      items.removeFirst(next)
      next = 0
    }
    let item = items[next]
    next += 1
    turn += 1
    return item
  }

  /// Records that the current item waits for a provider.
  ///
  /// - Parameters:
  ///   - wait: wakes the waiting task.
  ///   - overtakes: returns whether a waiting item does not wait for the provider.
  mutating func beginWaiting(_ wait: ProviderWait, overtakes: (Item) -> Bool) {
    self.wait = wait
    guard next < items.count, items[next...].contains(where: overtakes) else { return }
    overtaking = items[next...].filter(overtakes)
    items.replaceSubrange(next..., with: items[next...].filter { !overtakes($0) })
  }

  /// The items that wait until the current one is done, in order.
  var waiting: ArraySlice<Item> { items[next...] }

  /// Removes and returns the next item that does not wait for the provider; nil if there is none.
  mutating func takeOvertaking() -> Item? { overtaking.isEmpty ? nil : overtaking.removeFirst() }

  /// Records that the current item continues. Overtaking items that have not been taken come next.
  mutating func endWaiting() {
    wait = nil
    guard !overtaking.isEmpty else { return }
    items.insert(contentsOf: overtaking, at: next)
    overtaking = []
  }

  /// Closes the queue to new items.
  ///
  /// - Returns: the waiting items, in order.
  mutating func close() -> [Item] {
    isClosed = true
    defer {
      items.removeAll()
      overtaking = []
      next = 0
    }
    return overtaking + Array(items[next...])
  }

  /// Abandons the current item if its handlers have been running since the given time, and closes the queue.
  ///
  /// - Returns: the current item and the waiting ones, in order; nil if the handlers have returned in the meantime.
  mutating func abandon(handlingSince: ContinuousClock.Instant) -> [Item]? {
    self.handlingSince == handlingSince ? abandon() : nil
  }

  /// Abandons the current item, and closes the queue.
  ///
  /// - Returns: the current item and the waiting ones, in order.
  mutating func abandon() -> [Item] {
    isAbandoned = true
    let current = isRunning && next > 0 ? items[(next - 1)..<next] : []
    return current + close()
  }
}
