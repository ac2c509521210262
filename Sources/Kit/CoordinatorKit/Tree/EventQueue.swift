/// What waits for a flow tree: a queue in order of arrival, and whether somebody is taking from it.
///
/// A value that decides; its owner guards it and runs what it says. An idle tree has no task: the first item starts one, which
/// ends when the queue is empty.
struct EventQueue<Item: Sendable>: Sendable {
  /// What to do with an item that was offered.
  enum Admission: Sendable, Equatable {
    /// Start a task that takes from the queue.
    case start
    /// Nothing: the task that runs will come to it.
    case wait
    /// Refuse it: too many wait.
    case full
    /// Refuse it: the tree has ended.
    case closed
  }

  /// What waits, after what is being handled and what was handled before that.
  private var items: [Item] = []
  private var next = 0
  private var isRunning = false
  private var isClosed = false
  private(set) var turn: UInt64 = 0

  /// How many items wait.
  var count: Int { items.count - next }

  /// Which item is being handled, counted from 1; nil while none is.
  var currentTurn: UInt64? { isRunning ? turn : nil }

  /// Since when the handlers run that the current item sets off; nil while none does.
  private(set) var handlingSince: ContinuousClock.Instant?

  /// Whether the tree was given up while an item was being handled.
  private(set) var isAbandoned = false

  /// Notes that handlers run from now on.
  mutating func handlersBegin(at now: ContinuousClock.Instant) { handlingSince = now }

  /// Notes that the handlers have returned.
  mutating func handlersEnd() { handlingSince = nil }

  /// Adds an item at the end.
  ///
  /// - Parameters:
  ///   - item: what waits.
  ///   - capacity: how many may wait; nil for an item that must not be lost.
  /// - Returns: what to do.
  mutating func offer(_ item: Item, capacity: Int?) -> Admission {
    guard !isClosed else { return .closed }
    if let capacity, count >= capacity { return .full }
    items.append(item)
    guard !isRunning else { return .wait }
    isRunning = true
    return .start
  }

  /// Takes the first item; nil if there is none, and then the caller stops taking.
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

  /// Lets nothing more in.
  ///
  /// - Returns: what waited, in order.
  mutating func close() -> [Item] {
    isClosed = true
    defer {
      items.removeAll()
      next = 0
    }
    return Array(items[next...])
  }

  /// Gives up on the item whose handlers have run since then, and lets nothing more in.
  ///
  /// - Returns: what is being handled and what waited, in order; nil if the handlers have returned meanwhile.
  mutating func abandon(handlingSince: ContinuousClock.Instant) -> [Item]? {
    self.handlingSince == handlingSince ? abandon() : nil
  }

  /// Gives up on the item that is being handled, and lets nothing more in.
  ///
  /// - Returns: what is being handled and what waited, in order.
  mutating func abandon() -> [Item] {
    isAbandoned = true
    let current = isRunning && next > 0 ? items[(next - 1)..<next] : []
    return current + close()
  }
}
