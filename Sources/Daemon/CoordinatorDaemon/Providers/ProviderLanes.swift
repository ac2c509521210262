import DBus
import DequeModule
import Platform

/// The queues of questions to all providers; see ``ProviderLane``. May be used from any thread.
final class ProviderLanes: Sendable {
  /// A question that is being asked.
  struct Place: Sendable {
    fileprivate let provider: String
    fileprivate let ticket: TimedWaits.Ticket
  }

  private let lanes = Lock<[String: ProviderLane<TimedWaits.Ticket>]>([:])
  private let waits: TimedWaits

  init(waits: TimedWaits) { self.waits = waits }

  /// Waits until a provider may be asked.
  ///
  /// - Parameters:
  ///   - provider: the key of the provider.
  ///   - width: the number of questions that it is asked at once.
  ///   - isAlone: whether no other question may be asked at the same time.
  ///   - isPatient: whether earlier questions go first, even if this one must be asked alone.
  ///   - end: the time until which to wait; nil for no limit.
  /// - Returns: the place to leave after the answer; nil if the time has passed, or the task was cancelled.
  func enter(
    _ provider: String, width: Int, isAlone: Bool, isPatient: Bool = false, until end: ContinuousClock.Instant?
  ) async -> Place? {
    let ticket = waits.reserve()
    change(provider, width) { $0.enter(ticket, isAlone: isAlone, isPatient: isPatient) }
    guard await waits.wait(for: ticket, until: end) else {
      change(provider, width) { $0.leave(ticket) }
      return nil
    }
    return Place(provider: provider, ticket: ticket)
  }

  /// Releases a place, so that the next question is asked. Has no effect if the place was already released.
  func leave(_ place: Place) { change(place.provider, nil) { $0.leave(place.ticket) } }

  /// Whether another question to any provider would need to wait.
  var isAnyFull: Bool { lanes.withLock { $0.values.contains(where: \.isFull) } }

  /// Returns whether another question to a provider would need to wait.
  func isFull(_ provider: String) -> Bool { lanes.withLock { $0[provider]?.isFull ?? false } }

  private func change(
    _ provider: String, _ width: Int?,
    _ change: (inout ProviderLane<TimedWaits.Ticket>) -> [TimedWaits.Ticket]
  ) {
    let admitted = lanes.withLock { lanes in
      var lane = lanes[provider] ?? ProviderLane(width: width ?? 1)
      if let width { lane.width = max(1, width) }
      let admitted = change(&lane)
      lanes[provider] = lane.isEmpty ? nil : lane
      return admitted
    }
    for ticket in admitted { waits.resume(ticket) }
  }
}

/// The queue of questions to one provider: a limited number is asked at once, and the others wait in order of arrival. Each
/// tree asks one question at a time, so the order is fair to all trees.
///
/// After the death of a provider, each of its questions is asked again alone, to find the one that causes the death. A value
/// that makes decisions; its owner waits.
struct ProviderLane<Ticket: Hashable & Sendable>: Sendable {
  private struct Waiting: Sendable {
    let ticket: Ticket
    let isAlone: Bool
  }

  /// The number of questions that the provider is asked at once.
  var width: Int
  private var asked: Set<Ticket> = []
  private var isAskedAlone = false
  private var waiting: Deque<Waiting> = []

  /// Creates a lane without questions.
  init(width: Int) { self.width = max(1, width) }

  /// Whether there are no questions.
  var isEmpty: Bool { asked.isEmpty && waiting.isEmpty }

  /// Whether another question would need to wait.
  var isFull: Bool { isAskedAlone || asked.count >= width }

  /// Adds a question.
  ///
  /// - Parameters:
  ///   - ticket: the question.
  ///   - isAlone: whether the question may only be asked while no other is. It then precedes those that may be asked together,
  ///     unless it is patient.
  ///   - isPatient: whether the question keeps its place behind earlier ones.
  /// - Returns: the questions that may be asked now.
  mutating func enter(_ ticket: Ticket, isAlone: Bool = false, isPatient: Bool = false) -> [Ticket] {
    let index = isAlone && !isPatient ? waiting.firstIndex { !$0.isAlone } ?? waiting.endIndex : waiting.endIndex
    waiting.insert(Waiting(ticket: ticket, isAlone: isAlone), at: index)
    return admit()
  }

  /// Removes a question that was answered or abandoned.
  ///
  /// - Parameter ticket: the question.
  /// - Returns: the questions that may be asked now.
  mutating func leave(_ ticket: Ticket) -> [Ticket] {
    if asked.remove(ticket) != nil {
      isAskedAlone = false
    } else {
      waiting.removeAll { $0.ticket == ticket }
    }
    return admit()
  }

  private mutating func admit() -> [Ticket] {
    var admitted: [Ticket] = []
    while let next = waiting.first, !isFull, !next.isAlone || asked.isEmpty {
      waiting.removeFirst()
      asked.insert(next.ticket)
      isAskedAlone = next.isAlone
      admitted.append(next.ticket)
    }
    return admitted
  }
}

/// Tasks that wait until they are resumed, or until a time has passed. May be used from any thread.
final class TimedWaits: Sendable {
  /// A wait, which may be resumed before its task has begun to wait.
  struct Ticket: Sendable, Hashable {
    fileprivate let number: UInt64
  }

  private enum Wait: Sendable {
    case reserved
    case waiting(CheckedContinuation<Bool, Never>)
    case over(isResumed: Bool)
  }

  private struct State: Sendable {
    var lastNumber: UInt64 = 0
    var waits: [Ticket: Wait] = [:]

    mutating func takeIfOver(_ ticket: Ticket) -> Bool? {
      guard case .over(let isResumed) = waits[ticket] else { return nil }
      waits[ticket] = nil
      return isResumed
    }
  }

  private let state = Lock(State())
  private let loop: EventLoop

  /// Creates an empty set of waits.
  ///
  /// - Parameter loop: runs the timers.
  init(loop: EventLoop) { self.loop = loop }

  /// Returns a new wait.
  func reserve() -> Ticket {
    state.withLock { state in
      state.lastNumber += 1
      let ticket = Ticket(number: state.lastNumber)
      state.waits[ticket] = .reserved
      return ticket
    }
  }

  /// Waits.
  ///
  /// - Parameters:
  ///   - ticket: a reserved wait, which can be used once.
  ///   - end: the time until which to wait; nil for no limit.
  /// - Returns: whether the wait was resumed; false if the time passed first, or the task was cancelled.
  func wait(for ticket: Ticket, until end: ContinuousClock.Instant?) async -> Bool {
    if let isResumed = takeIfOver(ticket) { return isResumed }
    let timer = end.map { end in
      loop.schedule(after: max(.zero, ContinuousClock.now.duration(to: end))) { self.finish(ticket, false) }
    }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isResumed = state.withLock { state in
          let isResumed = state.takeIfOver(ticket)
          if isResumed == nil { state.waits[ticket] = .waiting(continuation) }
          return isResumed
        }
        if let isResumed { continuation.resume(returning: isResumed) }
      }
    } onCancel: {
      finish(ticket, false)
    }
  }

  /// Resumes a wait. Has no effect if it has ended.
  func resume(_ ticket: Ticket) { finish(ticket, true) }

  private func takeIfOver(_ ticket: Ticket) -> Bool? { state.withLock { $0.takeIfOver(ticket) } }

  private func finish(_ ticket: Ticket, _ isResumed: Bool) {
    let continuation: CheckedContinuation<Bool, Never>? = state.withLock { state in
      switch state.waits[ticket] {
      case .reserved: state.waits[ticket] = .over(isResumed: isResumed)
      case .waiting(let continuation):
        state.waits[ticket] = nil
        return continuation
      case .over, nil: break
      }
      return nil
    }
    continuation?.resume(returning: isResumed)
  }
}

/// The tasks that wait for a flow to be served. May be used from any thread.
final class Arrivals: Sendable {
  private let waiting = Lock<[String: [TimedWaits.Ticket]]>([:])
  private let waits: TimedWaits

  init(waits: TimedWaits) { self.waits = waits }

  /// Waits until the provider of a flow has changed. Check the condition before and after this call, because the change may
  /// have happened earlier.
  ///
  /// - Parameters:
  ///   - flow: the flow.
  ///   - end: the time until which to wait; nil for no limit.
  ///   - isThere: returns whether there is no need to wait. Called when later changes would be noticed.
  /// - Returns: false if the time has passed, or the task was cancelled.
  func wait(for flow: String, until end: ContinuousClock.Instant?, unless isThere: () -> Bool) async -> Bool {
    let ticket = waits.reserve()
    waiting.withLock { $0[flow, default: []].append(ticket) }
    if isThere() { waits.resume(ticket) }
    let isResumed = await waits.wait(for: ticket, until: end)
    waiting.withLock { waiting in
      waiting[flow]?.removeAll { $0 == ticket }
      if waiting[flow]?.isEmpty == true { waiting[flow] = nil }
    }
    return isResumed
  }

  /// Resumes the tasks that wait for flows.
  func arrived(_ flows: some Sequence<String>) {
    for ticket in waiting.withLock({ waiting in flows.flatMap { waiting[$0] ?? [] } }) { waits.resume(ticket) }
  }
}
