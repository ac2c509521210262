import Platform

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

/// The queue of a flow tree, for use from any thread.
struct TreeQueue: Sendable {
  private let queue = Lock(EventQueue<Posted>())

  /// The number of the current event, starting at 1; nil while idle.
  var currentTurn: UInt64? { queue.withLock { $0.currentTurn } }

  /// When the current event's first handler started; nil while no handler runs.
  var handlingSince: ContinuousClock.Instant? { queue.withLock { $0.handlingSince } }

  /// The number of waiting events.
  var count: Int { queue.withLock { $0.count } }

  /// Whether the tree was abandoned, so that operations in progress must have no effect.
  var isAbandoned: Bool { queue.withLock { $0.isAbandoned } }

  /// Appends an event; see ``EventQueue/offer(_:capacity:overtakes:)``.
  func offer(_ posted: Posted, capacity: Int?, overtakes: Bool) -> EventQueue<Posted>.Admission {
    queue.withLock { $0.offer(posted, capacity: capacity, overtakes: overtakes) }
  }

  /// Removes and returns the first event; nil if there is none, in which case the caller must stop consuming.
  func take() -> Posted? { queue.withLock { $0.take() } }

  /// Records that handlers start running.
  func handlersBegin() { queue.withLock { $0.handlersBegin(at: .now) } }

  /// Records that the handlers have returned.
  func handlersEnd() { queue.withLock { $0.handlersEnd() } }

  /// Closes the queue, and returns the waiting events.
  func close() -> [Posted] { queue.withLock { $0.close() } }

  /// Abandons the current event, if its handlers have been running since the given time; see
  /// ``EventQueue/abandon(handlingSince:)``.
  func abandon(handlingSince: ContinuousClock.Instant) -> [Posted]? {
    queue.withLock { $0.abandon(handlingSince: handlingSince) }
  }

  /// Abandons the current event, and closes the queue.
  func abandon() { _ = queue.withLock { $0.abandon() } }

  // MARK: Providers

  /// The wait of the current event for a provider; nil if it does not wait.
  var wait: ProviderWait? { queue.withLock { $0.wait } }

  /// Records that the current event waits for a provider instead of running handlers.
  ///
  /// - Parameters:
  ///   - wait: the wait.
  ///   - root: the root of the tree.
  /// - Returns: the events behind it.
  func beginWaiting(_ wait: ProviderWait, root: CoordinatorPath) -> ArraySlice<Posted> {
    queue.withLock { queue in
      queue.handlersEnd()
      queue.beginWaiting(wait) { $0.cause.overtakes(root: root) }
      return queue.waiting
    }
  }

  /// Removes and returns the next event that does not wait for the provider; nil if there is none.
  func takeOvertaking() -> Posted? { queue.withLock { $0.takeOvertaking() } }

  /// Records that the current event continues with its handlers.
  func endWaiting() {
    queue.withLock { queue in
      queue.endWaiting()
      queue.handlersBegin(at: .now)
    }
  }
}
