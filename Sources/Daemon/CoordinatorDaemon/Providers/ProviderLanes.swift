import DBus
import DequeModule
import Platform

/// The questions to all providers; see ``ProviderLane``. May be used from any thread.
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
  ///   - provider: names the provider.
  ///   - width: how many questions it is asked at once.
  ///   - isAlone: whether no other may be asked at the same time.
  ///   - isPatient: whether those go first that wait already, even if it is to be asked alone.
  ///   - end: when to give up; nil for never.
  /// - Returns: the place to leave after the answer; nil if the time was up, or the task was cancelled.
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

  /// Lets the next question be asked. Has no effect if the place was left before.
  func leave(_ place: Place) { change(place.provider, nil) { $0.leave(place.ticket) } }

  /// Whether another question to any provider would have to wait.
  var isAnyFull: Bool { lanes.withLock { $0.values.contains(where: \.isFull) } }

  /// Whether another question to a provider would have to wait.
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

/// The questions to one provider: so many are asked at once, and the others wait in the order in which they came. Each tree
/// asks one question at a time, so this is fair by tree.
///
/// After the death of a provider, what it was asked is asked again alone, so that it is known which question kills it. A
/// value that decides; its owner waits.
struct ProviderLane<Ticket: Hashable & Sendable>: Sendable {
  private struct Waiting: Sendable {
    let ticket: Ticket
    let isAlone: Bool
  }

  /// How many questions the provider is asked at once.
  var width: Int
  private var asked: Set<Ticket> = []
  private var isAskedAlone = false
  private var waiting: Deque<Waiting> = []

  /// Creates a lane without questions.
  init(width: Int) { self.width = max(1, width) }

  /// Whether there are no questions.
  var isEmpty: Bool { asked.isEmpty && waiting.isEmpty }

  /// Whether another question would have to wait.
  var isFull: Bool { isAskedAlone || asked.count >= width }

  /// Adds a question.
  ///
  /// - Parameters:
  ///   - ticket: the question.
  ///   - isAlone: whether it may only be asked while no other is. It then goes before those that may be asked together,
  ///     unless it is patient.
  ///   - isPatient: whether it keeps its place behind those that have come before.
  /// - Returns: the questions that may be asked now.
  mutating func enter(_ ticket: Ticket, isAlone: Bool = false, isPatient: Bool = false) -> [Ticket] {
    let index = isAlone && !isPatient ? waiting.firstIndex { !$0.isAlone } ?? waiting.endIndex : waiting.endIndex
    waiting.insert(Waiting(ticket: ticket, isAlone: isAlone), at: index)
    return admit()
  }

  /// Removes a question that was answered or given up.
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

/// Tasks that wait until they are resumed, or until their time is up. May be used from any thread.
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

  /// Creates no waits.
  ///
  /// - Parameter loop: keeps the time.
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
  ///   - ticket: a wait that was reserved; it is used up.
  ///   - end: when the time is up; nil for never.
  /// - Returns: whether the wait was resumed; false if the time was up first, or the task was cancelled.
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

  /// Resumes a wait. Has no effect if it is over.
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

/// Those who wait for a flow to be served. May be used from any thread.
final class Arrivals: Sendable {
  private let waiting = Lock<[String: [TimedWaits.Ticket]]>([:])
  private let waits: TimedWaits

  init(waits: TimedWaits) { self.waits = waits }

  /// Waits until something about a flow has changed. Look before and after: another may have been quicker.
  ///
  /// - Parameters:
  ///   - flow: the flow.
  ///   - end: when to give up; nil for never.
  ///   - isThere: looks whether there is a need to wait, once a change would be noticed.
  /// - Returns: false if the time was up, or the task was cancelled.
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

  /// Resumes those who wait for flows.
  func arrived(_ flows: some Sequence<String>) {
    for ticket in waiting.withLock({ waiting in flows.flatMap { waiting[$0] ?? [] } }) { waits.resume(ticket) }
  }
}
