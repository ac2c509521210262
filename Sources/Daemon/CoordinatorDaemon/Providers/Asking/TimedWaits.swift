import DBus
import Platform

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
